/* Prints all that a table says, for the tests to compare with the Rust interface. `ask TABLE [read|copy|keep]` */
#include "check.h"
#include <inttypes.h>

static void print_movement(const dragnet_movement *movement) {
    printf("%d %d %u:", (int)movement->moves, (int)movement->may_pass, (unsigned)movement->offset_count);
    for (uint32_t i = 0; i < movement->offset_count; i++) {
        printf(" %d,%d", movement->offsets[i].rows, movement->offsets[i].cols);
    }
    printf("\n");
}

static void print_value(dragnet_value value) { printf(" %d %" PRIu32, (int)value.outcome, value.dtw); }

static void print_moves(const dragnet_move *moves, size_t count) {
    printf(" [");
    for (size_t i = 0; i < count; i++) {
        printf(" %d %d,%d", (int)moves[i].side, moves[i].to.row, moves[i].to.col);
        print_value(moves[i].value);
    }
    printf(" ]");
}

static void ask(const dragnet_table *table, const dragnet_position *at, dragnet_value batched) {
    dragnet_value value;
    dragnet_side winner;
    size_t count, again;
    CALL(dragnet_table_value(table, at, &value));
    CHECK(memcmp(&value, &batched, sizeof value) == 0);
    CALL(dragnet_table_winner(table, at, &winner));
    printf("%d,%d %d,%d %d:", at->police.row, at->police.col, at->thief.row, at->thief.col, (int)at->turn);
    print_value(value);
    printf(" %d", (int)winner);

    dragnet_move moves[DRAGNET_MAX_OFFSETS + 1];
    CALL(dragnet_table_moves(table, at, moves, DRAGNET_MAX_OFFSETS + 1, &count));
    print_moves(moves, count);

    CALL(dragnet_table_line(table, at, NULL, 0, &count, NULL));
    dragnet_move *line = room_for(count, sizeof *line);
    CALL(dragnet_table_line(table, at, line, count, &again, &winner));
    CHECK(again == count);
    print_moves(line, count);
    printf(" %d\n", (int)winner);
    free(line);
}

int main(int argc, char **argv) {
    dragnet_table *table;
    dragnet_info info;
    dragnet_rules rules;
    uint8_t *bytes = NULL;
    size_t length = 0, count, n = 0, failed;
    CHECK(argc >= 2);
    const char *how = argc > 2 ? argv[2] : "open";
    if (strcmp(how, "open") == 0) {
        CALL(dragnet_table_open(argv[1], NULL, &table));
    } else if (strcmp(how, "read") == 0) {
        CALL(dragnet_table_read(argv[1], NULL, &table));
    } else {
        bytes = read_file(argv[1], &length);
        if (strcmp(how, "copy") == 0) {
            CALL(dragnet_table_from_bytes(bytes, length, NULL, &table));
            free(bytes);
            bytes = NULL;
        } else {
            CALL(dragnet_table_from_kept_bytes(bytes, length, NULL, &table));
        }
    }
    CALL(dragnet_table_verify(table));

    CALL(dragnet_table_info(table, &info));
    printf("%u %u %" PRIu64 " %" PRIu64 "\n", (unsigned)info.height, (unsigned)info.width, info.open_cells,
           info.positions);
    const dragnet_counts *counts[] = {&info.police_to_move, &info.thief_to_move};
    for (int i = 0; i < 2; i++) {
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", counts[i]->police, counts[i]->thief, counts[i]->draw);
    }
    printf("%u %u %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", (unsigned)info.longest_police,
           (unsigned)info.longest_thief, info.digest, info.file_length, info.memory);

    CALL(dragnet_table_rules(table, &rules));
    print_movement(&rules.police);
    print_movement(&rules.thief);
    printf("%d %d %d %d %d\n", (int)rules.officers, (int)rules.corner_cutting, (int)rules.wrap, (int)rules.stuck,
           (int)rules.team);

    CALL(dragnet_table_squares(table, NULL, 0, &count));
    uint8_t *squares = room_for(count, 1);
    CALL(dragnet_table_squares(table, squares, count, &count));
    for (size_t i = 0; i < count; i++) printf("%d", squares[i]);
    printf("\n");

    size_t all = (size_t)info.positions;
    dragnet_position *positions = room_for(all, sizeof *positions);
    dragnet_value *values = room_for(all, sizeof *values);
    for (size_t i = 0; i < count * count * 2; i++) {
        size_t police = i / 2 / count, thief = i / 2 % count;
        if (squares[police] != DRAGNET_SQUARE_WALL && squares[thief] != DRAGNET_SQUARE_WALL) {
            dragnet_position at = {{(uint16_t)(police / info.width), (uint16_t)(police % info.width)},
                                   {(uint16_t)(thief / info.width), (uint16_t)(thief % info.width)},
                                   i % 2 == 0 ? DRAGNET_POLICE : DRAGNET_THIEF};
            positions[n++] = at;
        }
    }
    CHECK(n == all);
    CALL(dragnet_table_values(table, positions, all, values, &failed));
    for (size_t i = 0; i < all; i++) ask(table, &positions[i], values[i]);

    free(values);
    free(positions);
    free(squares);
    CALL(dragnet_table_close(table));
    free(bytes);
    return 0;
}
