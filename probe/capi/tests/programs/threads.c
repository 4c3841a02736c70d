/*
 * Asks one table from many threads, each through a handle of its own and one that all share.
 * Usage: threads TABLE FOLDER
 */
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 20 };

static const dragnet_table *shared;
static const dragnet_tablebase *tablebase;
static dragnet_position *positions;
static dragnet_value *values;
static size_t count;

static void *work(void *own) {
    dragnet_table *mine = own, *found;
    dragnet_position off = {.police = {{9999, 0}}, .turn = DRAGNET_POLICE};
    dragnet_value value;
    char source[1024];
    CHECK(strcmp(dragnet_last_error(), "") == 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            CALL(dragnet_table_value(i % 2 == 0 ? mine : shared, &positions[i], &value));
            CHECK(memcmp(&value, &values[i], sizeof value) == 0);
        }
        FAILS(dragnet_table_value(shared, &off, &value), DRAGNET_ERROR_POSITION, "9999,0");
        size_t length;
        CALL(dragnet_table_source(shared, source, sizeof source, &length));
        CHECK(length < sizeof source);
        CALL(dragnet_tablebase_table(tablebase, source, &found));
        CALL(dragnet_table_close(mine));
        mine = found;
    }
    CALL(dragnet_table_close(mine));
    return NULL;
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    /* So small that blocks are read and decompressed again all the time. */
    CHECK(dragnet_cache_set_limit(8 << 10) == DRAGNET_OK);
    dragnet_table *table;
    CALL(open_file(argv[1], DRAGNET_TABLE_PURSUIT, &table));
    dragnet_tablebase *folder;
    const char *folders[] = {argv[2]};
    CALL(dragnet_tablebase_open(folders, 1, 0, &folder));
    shared = table;
    tablebase = folder;

    dragnet_info info;
    CALL(dragnet_table_info(table, &info));
    uint8_t squares[256];
    size_t size;
    CALL(dragnet_table_squares(table, squares, sizeof squares, &size));
    CHECK(size <= sizeof squares);
    positions = room_for((size_t)info.positions, sizeof *positions);
    values = room_for((size_t)info.positions, sizeof *values);
    for (size_t i = 0; i < size * size * 2; i++) {
        size_t police = i / 2 / size, thief = i / 2 % size;
        if (squares[police] != DRAGNET_SQUARE_WALL && squares[thief] != DRAGNET_SQUARE_WALL) {
            dragnet_position at = {.police = {{(uint16_t)(police / info.width), (uint16_t)(police % info.width)}},
                                   .thief = {(uint16_t)(thief / info.width), (uint16_t)(thief % info.width)},
                                   .turn = i % 2 == 0 ? DRAGNET_POLICE : DRAGNET_THIEF};
            positions[count] = at;
            CALL(dragnet_table_value(table, &at, &values[count]));
            count++;
        }
    }

    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        dragnet_table *own;
        CALL(open_file(argv[1], DRAGNET_TABLE_PURSUIT, &own));
        CHECK(pthread_create(&threads[i], NULL, work, own) == 0);
    }
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CALL(dragnet_tablebase_close(folder));
    CALL(dragnet_table_close(table));
    free(values);
    free(positions);
    return 0;
}
