/*
 * Prints all answers of a table, which the tests compare with those of the Rust interface.
 * Usage: ask TABLE [open|mapped|read|copy|keep|source]
 */
#include "check.h"
#include <inttypes.h>

static void print_value(dragnet_value value) { printf(" %d %" PRIu32, (int)value.outcome, value.dtw); }

static void print_cells(const dragnet_cell *cells, int count) {
    for (int i = 0; i < count; i++) printf("%s%d,%d", i == 0 ? "" : "+", cells[i].row, cells[i].col);
}

static void print_moves(const dragnet_move *moves, size_t count) {
    printf(" [");
    for (size_t i = 0; i < count; i++) {
        printf(" %d ", (int)moves[i].side);
        print_cells(moves[i].to, moves[i].count);
        printf(" %" PRIu32, moves[i].world);
        for (int j = moves[i].count; j < DRAGNET_MAX_OFFICERS; j++) {
            CHECK(moves[i].to[j].row == 0 && moves[i].to[j].col == 0);
        }
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
    print_cells(at->police, at->officers);
    printf(" %d,%d %d %" PRIu32 ":", at->thief.row, at->thief.col, (int)at->turn, at->world);
    print_value(value);
    printf(" %d", (int)winner);

    CALL(dragnet_table_moves(table, at, NULL, 0, &count));
    dragnet_move *moves = room_for(count, sizeof *moves);
    CALL(dragnet_table_moves(table, at, moves, count, &again));
    CHECK(again == count);
    print_moves(moves, count);
    dragnet_move best;
    CALL(dragnet_table_best_move(table, at, &best, &again));
    CHECK(again == (count > 0) && (count == 0 || memcmp(&best, &moves[0], sizeof best) == 0));
    if (count > 0) {
        /* A position is worth what its best move is, a ply earlier. */
        CHECK(best.value.outcome == value.outcome);
        CHECK(best.value.dtw + (value.outcome != DRAGNET_DRAW) == value.dtw);
        dragnet_position next = after(*at, &best);
        CALL(dragnet_table_value(table, &next, &value));
        CHECK(memcmp(&value, &best.value, sizeof value) == 0);
    }
    free(moves);

    CALL(dragnet_table_line(table, at, NULL, 0, &count, NULL));
    dragnet_move *line = room_for(count, sizeof *line);
    CALL(dragnet_table_line(table, at, line, count, &again, &winner));
    CHECK(again == count);
    print_moves(line, count);
    printf(" %d\n", (int)winner);
    free(line);
}

/* A source of the program's own. */
struct pack {
    const uint8_t *bytes;
    size_t length;
    size_t reads;
    int closed;
};

static int32_t read_pack(void *context, uint64_t offset, uint8_t *bytes, size_t count) {
    struct pack *pack = context;
    if (offset > pack->length || count > pack->length - offset) return 5;
    memcpy(bytes, pack->bytes + offset, count);
    pack->reads++;
    return 0;
}

static void close_pack(void *context) { ((struct pack *)context)->closed++; }

int main(int argc, char **argv) {
    dragnet_table *table;
    struct pack pack = {NULL, 0, 0, 0};
    dragnet_info info;
    uint8_t *bytes = NULL;
    size_t length = 0, count, n = 0, failed;
    CHECK(argc >= 2);
    const char *how = argc > 2 ? argv[2] : "open";
    if (strcmp(how, "source") == 0 || strcmp(how, "copy") == 0 || strcmp(how, "keep") == 0) {
        bytes = read_file(argv[1], &length);
    }
    dragnet_source source = source_of(how, argv[1], bytes, length);
    if (strcmp(how, "source") == 0) {
        pack = (struct pack){bytes, length, 0, 0};
        source = (dragnet_source){.read = read_pack, .close = close_pack, .context = &pack, .length = length};
    }
    CALL(dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table));
    if (strcmp(how, "copy") == 0) {
        free(bytes);
        bytes = NULL;
    }
    CALL(dragnet_table_check_sums(table, NULL));

    CALL(dragnet_table_info(table, &info));
    printf("%u %u %" PRIu64 " %" PRIu64 "\n", (unsigned)info.height, (unsigned)info.width, info.open_cells,
           info.positions);
    const dragnet_counts *counts[] = {&info.police_to_move, &info.thief_to_move};
    for (int i = 0; i < 2; i++) {
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", counts[i]->police, counts[i]->thief, counts[i]->draw);
    }
    printf("%u %u %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", (unsigned)info.longest_police,
           (unsigned)info.longest_thief, info.digest, info.file_length, info.memory);

    printf("%u %u %d %d %d %d %" PRIu64 "\n", (unsigned)info.officer_layers, (unsigned)info.thief_layers,
           (int)info.officers, (int)info.team, (int)info.stuck, (int)info.undecided, info.worlds);
    CALL(dragnet_table_source(table, NULL, 0, &count));
    char *text = room_for(count, 1);
    CALL(dragnet_table_source(table, text, count + 1, &count));
    CHECK(strlen(text) == count);
    printf("%s\n", text);
    free(text);

    CALL(dragnet_table_squares(table, NULL, 0, &count));
    uint8_t *squares = room_for(count, 1);
    CALL(dragnet_table_squares(table, squares, count, &count));
    for (size_t i = 0; i < count; i++) printf("%d", squares[i]);
    printf("\n");

    size_t all = (size_t)info.positions;
    dragnet_position *positions = room_for(all, sizeof *positions);
    dragnet_value *values = room_for(all, sizeof *values);
    dragnet_cell *cells = room_for((size_t)info.open_cells, sizeof *cells);
    size_t open = 0, team[DRAGNET_MAX_OFFICERS];
    for (size_t i = 0; i < (size_t)info.height * info.width; i++) {
        if (squares[i] != DRAGNET_SQUARE_WALL) {
            cells[open++] = (dragnet_cell){(uint16_t)(i / info.width), (uint16_t)(i % info.width)};
        }
    }
    for (uint32_t world = 0; world < info.worlds; world++) {
        memset(team, 0, sizeof team);
        do {
            for (size_t thief = 0; thief < open; thief++) {
                for (dragnet_side turn = DRAGNET_POLICE; turn <= DRAGNET_THIEF; turn++) {
                    dragnet_position at = {
                        .thief = cells[thief], .turn = turn, .officers = info.officers, .world = world};
                    for (int i = 0; i < info.officers; i++) at.police[i] = cells[team[i]];
                    positions[n++] = at;
                }
            }
        } while (next_team(team, info.officers, open));
    }
    CHECK(n == all);
    CALL(dragnet_table_values(table, positions, all, values, &failed));
    for (size_t i = 0; i < all; i++) ask(table, &positions[i], values[i]);
    dragnet_cache_statistics cache;
    CALL(dragnet_cache_get_statistics(&cache));
    CHECK(cache.tables == 1 && cache.limit == 32 << 20 && cache.bytes <= cache.reserved);
    CHECK(cache.misses > 0 || strcmp(how, "source") != 0);

    free(values);
    free(cells);
    free(positions);
    free(squares);
    CALL(dragnet_table_close(table));
    CHECK(pack.closed == (strcmp(how, "source") == 0) && (pack.closed == 0) == (pack.reads == 0));
    free(bytes);
    return 0;
}
