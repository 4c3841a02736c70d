/*
 * Prints all answers of a game table, which the tests compare with those of the Rust interface, then makes
 * calls that must fail. Usage: game TABLE OTHER open|mapped|read|copy|keep, where OTHER is a pursuit table.
 */
#include "check.h"
#include <inttypes.h>

#define ARGUMENT(call, words) FAILS(call, DRAGNET_ERROR_ARGUMENT, words)

static void print_all(const dragnet_table *table) {
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

static void invalid_calls(const dragnet_table *table, const char *path, const char *other) {
    dragnet_table *none = (dragnet_table *)&none;
    dragnet_game_value value = {77, 77}, values[2] = {{77, 77}, {77, 77}};
    dragnet_game_info info;
    dragnet_info of_board;
    dragnet_kind kind;
    uint64_t positions[2] = {3, UINT64_MAX};
    size_t failed, best = 77, length;
    char few[3] = "xx";

    FAILS(open_file(other, DRAGNET_TABLE_GAME, &none), DRAGNET_ERROR_KIND, "open it as a pursuit table");
    CHECK(none == NULL);
    FAILS(open_file(path, DRAGNET_TABLE_PURSUIT, &none), DRAGNET_ERROR_KIND, "open it as a game table");
    CHECK(none == NULL);
    dragnet_source little = source_of("copy", NULL, (const uint8_t *)"x", 1);
    FAILS(dragnet_open(&little, DRAGNET_TABLE_GAME, &none), DRAGNET_ERROR_NOT_A_TABLE, "not a");
    FAILS(dragnet_table_info(table, &of_board), DRAGNET_ERROR_KIND, "open it as a game table");
    FAILS(dragnet_table_squares(table, NULL, 0, &length), DRAGNET_ERROR_KIND, "open it as a game table");
    FAILS(dragnet_partial_table_keeps(table, &kind), DRAGNET_ERROR_KIND, "open it as a game table");
    CALL(open_file(other, DRAGNET_TABLE_ANY, &none));
    FAILS(dragnet_game_table_value(none, 0, &value), DRAGNET_ERROR_KIND, "open it as a pursuit table");
    CALL(dragnet_table_kind(none, &kind));
    CHECK(kind == DRAGNET_TABLE_PURSUIT);
    CALL(dragnet_table_close(none));
    CALL(dragnet_table_kind(table, &kind));
    CHECK(kind == DRAGNET_TABLE_GAME);
    ARGUMENT(dragnet_table_kind(table, NULL), "kind is NULL");
    ARGUMENT(dragnet_table_kind(NULL, &kind), "table is NULL");

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

    uint8_t *bytes = read_file(path, &length);
    bytes[length - 1] ^= 1;
    dragnet_source altered = source_of("copy", NULL, bytes, length);
    CALL(dragnet_open(&altered, DRAGNET_TABLE_GAME, &none));
    FAILS(dragnet_table_check_sums(none, NULL), DRAGNET_ERROR_DAMAGED, "damaged");
    CALL(dragnet_table_close(none));
    free(bytes);
}

int main(int argc, char **argv) {
    dragnet_table *table;
    uint8_t *bytes = NULL;
    size_t length = 0;
    CHECK(argc == 4);
    if (strcmp(argv[3], "copy") == 0 || strcmp(argv[3], "keep") == 0) bytes = read_file(argv[1], &length);
    dragnet_source source = source_of(argv[3], argv[1], bytes, length);
    CALL(dragnet_open(&source, DRAGNET_TABLE_GAME, &table));
    if (strcmp(argv[3], "copy") == 0) memset(bytes, 0, length);
    CALL(dragnet_table_check_sums(table, NULL));
    print_all(table);
    invalid_calls(table, argv[1], argv[2]);
    CALL(dragnet_table_close(table));
    free(bytes);
    return 0;
}
