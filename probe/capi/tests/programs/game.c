/*
 * Prints all answers of a game table, which the tests compare with those of the Rust interface, then makes
 * calls that must fail. Usage: game TABLE OTHER open|mapped|read|copy|keep, where OTHER is a pursuit table.
 */
#include "check.h"
#include <inttypes.h>

#define ARGUMENT(call, words) FAILS(call, DRAGNET_ERROR_ARGUMENT, words)

static void print_all(const dragnet_game_table *table) {
    dragnet_game_info info;
    char name[256];
    size_t length, failed;
    CALL(dragnet_game_table_info(table, &info));
    CALL(dragnet_game_table_name(table, name, sizeof name, &length));
    CHECK(strlen(name) == length);
    printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 "\n", name, info.positions, info.won,
           info.lost, info.drawn, info.longest_win, info.longest_loss);
    printf("%016" PRIx64 " %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", info.key, info.digest, info.file_length,
           info.memory);
    size_t count = (size_t)info.positions;
    uint64_t *positions = room_for(count, sizeof *positions);
    dragnet_game_value *values = room_for(count, sizeof *values), value;
    for (size_t i = 0; i < count; i++) positions[i] = count - 1 - i;
    CALL(dragnet_game_table_values(table, positions, count, values, &failed));
    CHECK(failed == count);
    for (size_t i = 0; i < count; i++) {
        CALL(dragnet_game_table_value(table, positions[i], &value));
        CHECK(memcmp(&value, &values[i], sizeof value) == 0);
        size_t best;
        CALL(dragnet_game_table_best(table, positions + i, count - i, &best));
        printf("%" PRIu64 ": %d %" PRIu32 " %zu\n", positions[i], (int)value.result, value.dtw, best);
    }
    free(positions);
    free(values);
}

static void invalid_calls(const dragnet_game_table *table, const char *path, const char *other) {
    dragnet_game_table *none = (dragnet_game_table *)&none;
    dragnet_table *pursuit = (dragnet_table *)&pursuit;
    dragnet_game_value value = {77, 77}, values[2] = {{77, 77}, {77, 77}};
    dragnet_game_info info;
    uint64_t positions[2] = {3, UINT64_MAX};
    size_t failed, best = 77, length;
    char few[3] = "xx";

    FAILS(dragnet_game_table_open(other, NULL, &none), DRAGNET_ERROR_KIND, "open it as a pursuit table");
    CHECK(none == NULL);
    FAILS(dragnet_table_open(path, NULL, &pursuit), DRAGNET_ERROR_KIND, "open it as a game table");
    CHECK(pursuit == NULL);
    FAILS(dragnet_game_table_open("no/such/file", NULL, &none), DRAGNET_ERROR_FILE, "no/such/file");
    FAILS(dragnet_game_table_from_bytes((const uint8_t *)"x", 1, NULL, &none), DRAGNET_ERROR_NOT_A_TABLE, "not a");
    ARGUMENT(dragnet_game_table_open(NULL, NULL, &none), "path is NULL");

    FAILS(dragnet_game_table_value(table, UINT64_MAX, &value), DRAGNET_ERROR_POSITION, "expected a position from 0 to");
    ARGUMENT(dragnet_game_table_value(NULL, 0, &value), "table is NULL");
    ARGUMENT(dragnet_game_table_value(table, 0, NULL), "value is NULL");
    FAILS(dragnet_game_table_values(table, positions, 2, values, &failed), DRAGNET_ERROR_POSITION, "position 1 of");
    CHECK(failed == 1 && value.result == 77 && values[0].result == 77);
    ARGUMENT(dragnet_game_table_values(table, NULL, 2, values, &failed), "positions is NULL");
    CHECK(failed == 2);
    ARGUMENT(dragnet_game_table_values(table, positions, 2, NULL, NULL), "values is NULL");
    CALL(dragnet_game_table_values(table, NULL, 0, NULL, NULL));
    FAILS(dragnet_game_table_best(table, positions, 2, &best), DRAGNET_ERROR_POSITION, "expected a position");
    ARGUMENT(dragnet_game_table_best(table, positions, 1, NULL), "best is NULL");
    CHECK(best == 77);
    CALL(dragnet_game_table_best(table, NULL, 0, &best));
    CHECK(best == 0);

    CALL(dragnet_game_table_name(table, few, 2, &length));
    CHECK(length == 5 && few[0] == 'g' && few[1] == 0 && few[2] == 0);
    CALL(dragnet_game_table_name(table, NULL, 0, &length));
    ARGUMENT(dragnet_game_table_info(table, NULL), "info is NULL");
    ARGUMENT(dragnet_game_table_info(NULL, &info), "table is NULL");
    CALL(dragnet_game_table_close(NULL));

    uint8_t *bytes = read_file(path, &length);
    bytes[length - 1] ^= 1;
    CALL(dragnet_game_table_from_bytes(bytes, length, NULL, &none));
    FAILS(dragnet_game_table_check_sums(none, NULL), DRAGNET_ERROR_DAMAGED, "damaged");
    CALL(dragnet_game_table_close(none));
    free(bytes);
}

int main(int argc, char **argv) {
    dragnet_game_table *table;
    dragnet_options options = {0};
    uint8_t *bytes = NULL;
    size_t length;
    CHECK(argc == 4);
    if (strcmp(argv[3], "mapped") == 0 || strcmp(argv[3], "keep") == 0) options.memory = DRAGNET_MEMORY_SHARED;
    if (strcmp(argv[3], "read") == 0) options.memory = DRAGNET_MEMORY_WHOLE;
    if (strcmp(argv[3], "open") == 0 || strcmp(argv[3], "mapped") == 0 || strcmp(argv[3], "read") == 0) {
        CALL(dragnet_game_table_open(argv[1], &options, &table));
    } else {
        bytes = read_file(argv[1], &length);
        if (strcmp(argv[3], "copy") == 0) {
            CALL(dragnet_game_table_from_bytes(bytes, length, NULL, &table));
            memset(bytes, 0, length);
        } else {
            CALL(dragnet_game_table_from_bytes(bytes, length, &options, &table));
        }
    }
    CALL(dragnet_game_table_check_sums(table, NULL));
    print_all(table);
    invalid_calls(table, argv[1], argv[2]);
    CALL(dragnet_game_table_close(table));
    free(bytes);
    return 0;
}
