/*
 * Makes every call that must fail, and checks the status and the message. Usage: errors TABLE FOLDER SCRATCH.
 * TABLE has the classic rules; FOLDER has all golden pursuit tables and a file that is not a table; SCRATCH
 * is a folder to write to.
 */
#include "check.h"

#define ARGUMENT(call, words) FAILS(call, DRAGNET_ERROR_ARGUMENT, words)

static void write_file(const char *path, const uint8_t *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static void about_the_library(void) {
    CHECK(strcmp(dragnet_version(), DRAGNET_VERSION) == 0);
    CHECK(strcmp(dragnet_last_error(), "") == 0);
    CHECK(strcmp(dragnet_status_name(DRAGNET_ERROR_PANIC), "DRAGNET_ERROR_PANIC") == 0);
    CHECK(strcmp(dragnet_status_name(99), "unknown") == 0);
}

static int32_t read_nothing(void *context, uint64_t offset, uint8_t *bytes, size_t count) {
    (void)context, (void)offset, (void)bytes, (void)count;
    return 1;
}

static void count_closed(void *closed) { ++*(int *)closed; }

static void sources(void) {
    int closed = 0;
    dragnet_table *table;
    dragnet_options wrong;
    dragnet_source source = {100, &closed, read_nothing, count_closed};
    dragnet_source deaf = {100, &closed, NULL, count_closed};
    CALL(dragnet_options_init(&wrong));
    wrong.access = 7;
    /* Whatever fails, the source is closed once. */
    FAILS(dragnet_table_from_source(&source, NULL, &table), DRAGNET_ERROR_FILE, "returned 1");
    CHECK(closed == 1);
    ARGUMENT(dragnet_table_from_source(&deaf, NULL, &table), "source.read is NULL");
    CHECK(closed == 2);
    ARGUMENT(dragnet_table_from_source(&source, &wrong, &table), "access");
    CHECK(closed == 3);
    ARGUMENT(dragnet_table_from_source(&source, NULL, NULL), "table is NULL");
    CHECK(closed == 4);
    ARGUMENT(dragnet_game_table_from_source(&deaf, NULL, NULL), "table is NULL");
    ARGUMENT(dragnet_partial_table_from_source(&source, &wrong, NULL), "table is NULL");
    CHECK(closed == 6);
    ARGUMENT(dragnet_table_from_source(NULL, NULL, &table), "source is NULL");
    CHECK(closed == 6);
}

static void opening(const char *path, const char *scratch) {
    dragnet_table *table = (dragnet_table *)&table;
    dragnet_options options;
    size_t length;
    uint8_t *bytes = read_file(path, &length);
    char file[4096];

    FAILS(dragnet_table_open("no/such/file", NULL, &table), DRAGNET_ERROR_FILE, "no/such/file");
    CHECK(table == NULL);
    FAILS(dragnet_table_read(scratch, NULL, &table), DRAGNET_ERROR_FILE, "found a folder");
    FAILS(dragnet_table_open_mapped("no/such/file", NULL, &table), DRAGNET_ERROR_FILE, "no/such/file");
    ARGUMENT(dragnet_table_open_mapped(path, NULL, NULL), "table is NULL");
    ARGUMENT(dragnet_table_open(NULL, NULL, &table), "path is NULL");
    ARGUMENT(dragnet_table_read(path, NULL, NULL), "table is NULL");
    ARGUMENT(dragnet_table_from_bytes(NULL, 5, NULL, &table), "bytes is NULL");
    FAILS(dragnet_table_from_bytes(NULL, 0, NULL, &table), DRAGNET_ERROR_NOT_A_TABLE, "not a Dragnet table");
    ARGUMENT(dragnet_table_from_kept_bytes(bytes, SIZE_MAX, NULL, &table), "bytes cannot have");
    FAILS(dragnet_table_from_bytes(bytes, length - 1, NULL, &table), DRAGNET_ERROR_DAMAGED, "cut short");

    ARGUMENT(dragnet_options_init(NULL), "options is NULL");
    CALL(dragnet_options_init(&options));
    CHECK(options.access == DRAGNET_ACCESS_RANDOM && options.reserved == 0);
    options.access = 7;
    ARGUMENT(dragnet_table_open(path, &options, &table), "access: expected 0 or 1, found 7");
    options.access = DRAGNET_ACCESS_WHOLE;
    options.reserved = 1;
    ARGUMENT(dragnet_table_open(path, &options, &table), "reserved: expected 0, found 1");
    options.reserved = 0;
    CALL(dragnet_table_open(path, &options, &table));
    CALL(dragnet_table_close(table));
    CALL(dragnet_table_close(NULL));

    /* On Unix, a name may have any bytes except NUL and a slash. */
    snprintf(file, sizeof file, "%s/\xff\xfe.dtb", scratch);
    write_file(file, bytes, length);
    CALL(dragnet_table_open(file, NULL, &table));
    CALL(dragnet_table_close(table));
    bytes[8] = 99;
    write_file(file, bytes, length);
    FAILS(dragnet_table_open(file, NULL, &table), DRAGNET_ERROR_VERSION, "expected format version 1 or 2, found 99");
    CHECK(strncmp(dragnet_last_error(), scratch, strlen(scratch)) == 0);
    bytes[8] = 1;
    bytes[0] = 0;
    write_file(file, bytes, length);
    FAILS(dragnet_table_read(file, NULL, &table), DRAGNET_ERROR_NOT_A_TABLE, "not a Dragnet table");
    CHECK(remove(file) == 0 && table == NULL);
    free(bytes);
}

/*
 * Asks an open table all positions of one officer; every answer must be right, or fail with DAMAGED or FILE.
 */
static size_t failures(const dragnet_table *table, const dragnet_table *right) {
    dragnet_info info;
    size_t failed = 0;
    CALL(dragnet_table_info(right, &info));
    for (uint16_t p = 0; p < info.height * info.width; p++) {
        for (uint16_t t = 0; t < info.height * info.width; t++) {
            dragnet_position at = {.police = {{(uint16_t)(p / info.width), (uint16_t)(p % info.width)}},
                                   .thief = {(uint16_t)(t / info.width), (uint16_t)(t % info.width)},
                                   .turn = p % 2 == 0 ? DRAGNET_POLICE : DRAGNET_THIEF};
            dragnet_value expected, found;
            if (dragnet_table_value(right, &at, &expected) == DRAGNET_ERROR_POSITION) continue;
            dragnet_status status = dragnet_table_value(table, &at, &found);
            if (status == DRAGNET_OK) {
                CHECK(memcmp(&found, &expected, sizeof found) == 0);
            } else {
                CHECK(status == DRAGNET_ERROR_DAMAGED || status == DRAGNET_ERROR_FILE);
                failed++;
            }
        }
    }
    return failed;
}

/* A file that is truncated or overwritten while it is open gives errors or right answers. */
static void changes_while_open(const char *path, const char *scratch) {
    dragnet_table *table, *right;
    dragnet_options options;
    size_t length;
    uint8_t *bytes = read_file(path, &length);
    char file[4096];
    snprintf(file, sizeof file, "%s/changed.dtb", scratch);
    CALL(dragnet_table_read(path, NULL, &right));
    CALL(dragnet_options_init(&options));
    CHECK(dragnet_cache_set_limit(0) == DRAGNET_OK); /* so that no block is kept */
    for (size_t kept = 0; kept < length; kept += 97) {
        for (int overwrite = 0; overwrite < 2; overwrite++) {
            write_file(file, bytes, length);
            CALL(dragnet_table_open(file, &options, &table));
            CHECK(failures(table, right) == 0);
            /* Opening for writing truncates the file that the table has open. */
            uint8_t *changed = room_for(length, 1);
            memcpy(changed, bytes, kept);
            memset(changed + kept, 0, length - kept);
            write_file(file, changed, overwrite ? length : kept);
            CHECK(failures(table, right) > 0 || kept > 0);
            free(changed);
            CALL(dragnet_table_close(table));
        }
    }
    CHECK(remove(file) == 0);
    CALL(dragnet_table_close(right));
    free(bytes);
}

static void damage(const char *path) {
    dragnet_table *table;
    size_t length;
    uint8_t *bytes = read_file(path, &length);
    bytes[length - 1] ^= 1;
    CALL(dragnet_table_from_kept_bytes(bytes, length, NULL, &table));
    FAILS(dragnet_table_check_sums(table), DRAGNET_ERROR_DAMAGED, "damaged");
    CALL(dragnet_table_close(table));
    ARGUMENT(dragnet_table_check_sums(NULL), "table is NULL");
    free(bytes);
}

/* The calls of `report`: how many there were, and how many there may be. */
struct reports {
    uint64_t calls, blocks, most;
};

static int32_t report(void *context, uint64_t done, uint64_t blocks) {
    struct reports *reports = (struct reports *)context;
    CHECK(done == ++reports->calls && done <= blocks);
    reports->blocks = blocks;
    return done == reports->most;
}

static void stopping(const char *path) {
    dragnet_table *table;
    struct reports all = {0, 0, 0}, some = {0, 0, 2};
    dragnet_progress progress = {&all, report};
    CALL(dragnet_table_open(path, NULL, &table));
    CALL(dragnet_table_check_sums_while(table, &progress));
    CHECK(all.calls == all.blocks && all.blocks > 2);
    progress.context = &some;
    FAILS(dragnet_table_check_sums_while(table, &progress), DRAGNET_ERROR_STOPPED, "the check was stopped after 2 of ");
    CHECK(some.calls == 2);
    progress.report = NULL;
    ARGUMENT(dragnet_table_check_sums_while(table, &progress), "progress.report is NULL");
    ARGUMENT(dragnet_table_check_sums_while(table, NULL), "progress is NULL");
    CALL(dragnet_table_close(table));
}

static void wide_texts(void) {
    const uint16_t wide[] = {'k', 0xF6, '/', 0x20AC, 0xD83D, 0xDE00, 0}, half[] = {'x', 0xD83D, 0};
    const char *expected = "k\xC3\xB6/\xE2\x82\xAC\xF0\x9F\x98\x80";
    char text[16], little[3] = "..";
    size_t length;
    CALL(dragnet_utf8_from_utf16(wide, text, sizeof text, &length));
    CHECK(strcmp(text, expected) == 0 && length == strlen(expected));
    CALL(dragnet_utf8_from_utf16(wide, little, 2, &length));
    CHECK(strcmp(little, "k") == 0 && length == strlen(expected));
    ARGUMENT(dragnet_utf8_from_utf16(half, text, sizeof text, &length), "a surrogate without its partner");
    ARGUMENT(dragnet_utf8_from_utf16(NULL, text, sizeof text, &length), "wide is NULL");
}

static void asking(const dragnet_table *table, dragnet_cell open, dragnet_cell wall) {
    dragnet_position at = {.police = {open}, .thief = open, .turn = DRAGNET_POLICE}, on_wall = at, off = at, bad = at;
    on_wall.thief = wall;
    off.police[0].row = 9999;
    bad.turn = DRAGNET_NOBODY;
    dragnet_value value = {77, 77}, values[3];
    dragnet_move moves[3];
    dragnet_side side;
    size_t count = 77, failed;
    const void *misaligned = (const char *)&at + 1;

    FAILS(dragnet_table_value(table, &on_wall, &value), DRAGNET_ERROR_POSITION, "is a wall");
    FAILS(dragnet_table_value(table, &off, &value), DRAGNET_ERROR_POSITION, "the police's cell 9999,");
    ARGUMENT(dragnet_table_value(table, &bad, &value), "turn: expected DRAGNET_POLICE (1)");
    ARGUMENT(dragnet_table_value(NULL, &at, &value), "table is NULL");
    ARGUMENT(dragnet_table_value(table, NULL, &value), "position is NULL");
    ARGUMENT(dragnet_table_value(table, misaligned, &value), "position is not aligned");
    ARGUMENT(dragnet_table_value(table, &at, NULL), "value is NULL");
    at.officers = 2;
    FAILS(dragnet_table_value(table, &at, &value), DRAGNET_ERROR_POSITION, "the cell of 1 officer, found 2");
    at.officers = 7;
    ARGUMENT(dragnet_table_value(table, &at, &value), "officers: expected a number from 0 to 6, found 7");
    at.officers = -1;
    ARGUMENT(dragnet_table_value(table, &at, &value), "officers: expected a number from 0 to 6, found -1");
    at.officers = 1;
    CHECK(value.outcome == 77 && value.dtw == 77);

    dragnet_position many[] = {at, at, off};
    values[0] = value;
    FAILS(dragnet_table_values(table, many, 3, values, &failed), DRAGNET_ERROR_POSITION, "position 2 of those");
    CHECK(failed == 2 && values[0].outcome == 77);
    many[1] = bad;
    ARGUMENT(dragnet_table_values(table, many, 3, values, &failed), "position 1 of those asked");
    CHECK(failed == 1);
    ARGUMENT(dragnet_table_values(table, many, 3, values, NULL), "position 1 of those asked");
    ARGUMENT(dragnet_table_values(table, NULL, 3, values, &failed), "positions is NULL");
    CHECK(failed == 3);
    ARGUMENT(dragnet_table_values(table, many, 3, NULL, &failed), "values is NULL");
    ARGUMENT(dragnet_table_values(table, many, SIZE_MAX, values, &failed), "positions cannot have");
    CALL(dragnet_table_values(table, NULL, 0, NULL, NULL));

    FAILS(dragnet_table_moves(table, &on_wall, moves, 3, &count), DRAGNET_ERROR_POSITION, "the thief's cell");
    ARGUMENT(dragnet_table_moves(table, &at, NULL, 3, &count), "moves is NULL");
    ARGUMENT(dragnet_table_moves(table, &at, moves, 3, NULL), "count is NULL");
    ARGUMENT(dragnet_table_line(table, &bad, moves, 3, &count, NULL), "turn");
    ARGUMENT(dragnet_table_line(NULL, &at, moves, 3, &count, NULL), "table is NULL");
    CHECK(count == 77);
    ARGUMENT(dragnet_table_winner(table, &at, NULL), "winner is NULL");
    FAILS(dragnet_table_winner(table, &off, &side), DRAGNET_ERROR_POSITION, "off the board");
    CALL(dragnet_table_winner(table, &at, &side));
    CHECK(side == DRAGNET_POLICE);
    CALL(dragnet_table_moves(table, &at, NULL, 0, &count));
    CHECK(count == 0);
}

/* Buffers that are too small are filled, and no byte beyond them is written. */
static void small_buffers(const dragnet_table *table, dragnet_position at) {
    dragnet_move moves[DRAGNET_MAX_OFFSETS + 1], few[2];
    uint8_t squares[4] = {9, 9, 9, 9};
    size_t count, all;
    CALL(dragnet_table_moves(table, &at, moves, DRAGNET_MAX_OFFSETS + 1, &all));
    CHECK(all > 1);
    memset(few, 0x77, sizeof few);
    CALL(dragnet_table_moves(table, &at, few, 1, &count));
    CHECK(count == all && memcmp(&few[0], &moves[0], sizeof few[0]) == 0 && few[1].side == 0x77777777);
    CALL(dragnet_table_line(table, &at, few, 1, &count, NULL));
    CHECK(count > 1 && few[1].side == 0x77777777);
    CALL(dragnet_table_squares(table, squares, 3, &count));
    CHECK(count > 3 && squares[2] != 9 && squares[3] == 9);
    ARGUMENT(dragnet_table_squares(table, NULL, 3, &count), "squares is NULL");
    ARGUMENT(dragnet_table_edges(table, NULL, 3, &count), "edges is NULL");
    ARGUMENT(dragnet_table_edges(table, NULL, 0, NULL), "count is NULL");
    CALL(dragnet_table_edges(table, NULL, 0, &count));
    CHECK(count == 0);
    ARGUMENT(dragnet_table_info(table, NULL), "info is NULL");
    ARGUMENT(dragnet_table_rules(table, NULL), "rules is NULL");
    ARGUMENT(dragnet_table_clone(table, NULL), "clone is NULL");
}

static void wrong_rules(const dragnet_tablebase *folder, const uint8_t *squares) {
    dragnet_rules right, rules;
    dragnet_table *table;
    ARGUMENT(dragnet_rules_preset("draughts", &rules), "expected the name of a preset, classic or chase or cops");
    ARGUMENT(dragnet_rules_preset(NULL, &rules), "name is NULL");
    ARGUMENT(dragnet_rules_preset("chase", NULL), "rules is NULL");
    CALL(dragnet_rules_preset("chase", &right));
    CHECK(right.thief.moves == DRAGNET_MOVES_KING && right.thief.offset_count == 8 && !right.corner_cutting);
#define WRONG(change, words)                                                                       \
    do {                                                                                           \
        rules = right;                                                                             \
        change;                                                                                    \
        ARGUMENT(dragnet_tablebase_table(folder, 1, 1, squares, &rules, &table), words);           \
        CHECK(table == NULL);                                                                      \
    } while (0)
    WRONG(rules.police.moves = 6, "the police's moves: moves: expected a move set");
    WRONG(rules.thief.may_pass = 2, "the thief's moves: may_pass: expected 0 or 1, found 2");
    WRONG((rules.thief.moves = DRAGNET_MOVES_OFFSETS, rules.thief.offset_count = 256), "at most 255, found 256");
    WRONG((rules.thief.moves = DRAGNET_MOVES_OFFSETS, rules.thief.offset_count = 9), "the offset [0, 0]");
    WRONG(rules.officers = -1, "officers: expected a number from 1");
    WRONG(rules.officers = 0, "expected 1 to 6 officers, found 0");
    WRONG(rules.officers = 7, "expected 1 to 6 officers, found 7");
    WRONG(rules.police.steps = 0, "at least 1 for the steps of the police");
    WRONG(rules.police.steps = 256, "the police's moves: steps: expected a number from 1 to 255, found 256");
    WRONG(rules.thief.reach = -1, "the thief's moves: reach: expected a number from 1 to 255, found -1");
    WRONG(rules.police_on_exit = 3, "police_on_exit: expected 0 to 2, found 3");
    WRONG(rules.undecided = -1, "undecided: expected a side or nobody");
    WRONG(rules.corner_cutting = 2, "corner_cutting");
    WRONG(rules.wrap = 4, "wrap: expected 0 to 3, found 4");
    WRONG(rules.stuck = 2, "stuck");
    WRONG(rules.team = -1, "team");
}

/* Finds the golden table with two officers on a graph by its vertices and edges. */
static void graphs(const dragnet_tablebase *folder, const char *path) {
    dragnet_table *table, *found;
    dragnet_info info, same;
    dragnet_rules rules;
    uint8_t squares[64];
    dragnet_edge edges[64];
    size_t count, vertices;
    char file[4096];
    snprintf(file, sizeof file, "%s/v1-cops.dtb", path);
    CALL(dragnet_table_open(file, NULL, &table));
    CALL(dragnet_table_info(table, &info));
    CALL(dragnet_table_rules(table, &rules));
    CHECK(rules.officers == 2 && rules.police.moves == DRAGNET_MOVES_EDGES && rules.thief.steps == 2);
    CHECK(rules.police_on_exit == DRAGNET_POLICE_ON_EXIT_WINS && rules.undecided == DRAGNET_THIEF);
    CALL(dragnet_table_squares(table, squares, 64, &vertices));
    CHECK(vertices == 11 && info.height == 1 && squares[6] == DRAGNET_SQUARE_EXIT);
    memset(edges, 0x77, sizeof edges);
    CALL(dragnet_table_edges(table, edges, 3, &count));
    CHECK(count == 14 && edges[2].from == 1 && edges[2].to == 10 && edges[3].from == 0x7777);
    CALL(dragnet_table_edges(table, edges, 64, &count));
#define FIND(vertices, edge_count) \
    dragnet_tablebase_table_of_graph(folder, vertices, squares, edges, edge_count, &rules, &found)
    /* Duplicate edges and loops are ignored. */
    edges[count] = edges[0];
    edges[count + 1] = (dragnet_edge){7, 7};
    CALL(FIND(11, count + 2));
    CALL(dragnet_table_info(found, &same));
    CHECK(same.digest == info.digest);
    CALL(dragnet_table_close(found));
    FAILS(FIND(11, count - 1), DRAGNET_ERROR_MISSING, "no table for this board");
    CHECK(found == NULL);
    ARGUMENT(FIND(10, count), "expected a vertex from 0 to 9, found 10");
    ARGUMENT(FIND(0, 0), "at least 1x1");
    ARGUMENT(FIND(70000, 0), "at most");
    ARGUMENT(dragnet_tablebase_table_of_graph(folder, 11, NULL, edges, count, &rules, &found), "squares is NULL");
    ARGUMENT(dragnet_tablebase_table_of_graph(folder, 11, squares, NULL, count, &rules, &found), "edges is NULL");
    squares[1] = DRAGNET_SQUARE_WALL;
    ARGUMENT(FIND(11, count), "cell 0,1 is a wall");
    CALL(dragnet_table_close(table));
}

static void folders(const dragnet_table *table, const char *folder, const char *scratch) {
    dragnet_tablebase *tablebase, *clone;
    dragnet_tablebase_options options;
    dragnet_table *found;
    dragnet_info info, same;
    dragnet_rules rules;
    const char *names[] = {scratch, folder, NULL};
    char text[4096], little[4] = "...";
    uint8_t squares[4096];
    size_t count, length;

    ARGUMENT(dragnet_tablebase_options_init(NULL), "options is NULL");
    CALL(dragnet_tablebase_options_init(&options));
    CHECK(options.open_tables == 64);
    options.table.access = 9;
    ARGUMENT(dragnet_tablebase_open(names, 2, &options, &tablebase), "access");
    ARGUMENT(dragnet_tablebase_open(NULL, 2, NULL, &tablebase), "folders is NULL");
    ARGUMENT(dragnet_tablebase_open(names, 3, NULL, &tablebase), "folders[2] is NULL");
    ARGUMENT(dragnet_tablebase_open(names, 2, NULL, NULL), "tablebase is NULL");
    names[2] = "no/such/folder";
    FAILS(dragnet_tablebase_open(names, 3, NULL, &tablebase), DRAGNET_ERROR_FILE, "no/such/folder");
    CHECK(tablebase == NULL);
    options.table.access = DRAGNET_ACCESS_WHOLE;
    CALL(dragnet_tablebase_open(names, 2, &options, &clone));
    CALL(dragnet_tablebase_clone(clone, &tablebase));
    CALL(dragnet_tablebase_close(clone));
    CALL(dragnet_tablebase_close(NULL));

    CALL(dragnet_tablebase_tables(tablebase, &count));
    CHECK(count == 4);
    CALL(dragnet_tablebase_path(tablebase, 1, text, sizeof text, &length));
    CHECK(strncmp(text, folder, strlen(folder)) == 0 && strlen(text) == length);
    CALL(dragnet_tablebase_path(tablebase, 1, little, sizeof little, &count));
    CHECK(count == length && strncmp(little, text, 3) == 0 && little[3] == '\0');
    ARGUMENT(dragnet_tablebase_path(tablebase, 4, text, sizeof text, &length), "a number below 4, found 4");
    CALL(dragnet_tablebase_unreadable(tablebase, &count));
    CHECK(count == 1);
    CALL(dragnet_tablebase_unreadable_message(tablebase, 0, NULL, 0, &length));
    CALL(dragnet_tablebase_unreadable_message(tablebase, 0, text, sizeof text, &count));
    CHECK(count == length && strstr(text, "not a Dragnet table") != NULL);
    ARGUMENT(dragnet_tablebase_unreadable_message(tablebase, 1, text, sizeof text, &length), "index");
    ARGUMENT(dragnet_tablebase_unreadable(NULL, &count), "tablebase is NULL");
    ARGUMENT(dragnet_tablebase_tables(tablebase, NULL), "count is NULL");

    CALL(dragnet_table_info(table, &info));
    CALL(dragnet_table_rules(table, &rules));
    CALL(dragnet_table_squares(table, squares, sizeof squares, &count));
    CALL(dragnet_tablebase_table(tablebase, info.height, info.width, squares, &rules, &found));
    CALL(dragnet_table_info(found, &same));
    CHECK(same.digest == info.digest);
    CALL(dragnet_table_close(found));
    rules.wrap = DRAGNET_WRAP_BOTH;
    FAILS(dragnet_tablebase_table(tablebase, info.height, info.width, squares, &rules, &found),
          DRAGNET_ERROR_MISSING, "no table for this board");
    ARGUMENT(dragnet_tablebase_table(tablebase, 0, 5, squares, &rules, &found), "at least 1x1");
    ARGUMENT(dragnet_tablebase_table(tablebase, UINT32_MAX, UINT32_MAX, squares, &rules, &found), "at most");
    ARGUMENT(dragnet_tablebase_table(tablebase, 1, 1, NULL, &rules, &found), "squares is NULL");
    ARGUMENT(dragnet_tablebase_table(tablebase, 1, 1, squares, NULL, &found), "rules is NULL");
    squares[1] = 3;
    ARGUMENT(dragnet_tablebase_table(tablebase, 1, 2, squares, &rules, &found), "squares[1]: expected a square");
    squares[1] = DRAGNET_SQUARE_OPEN;
    wrong_rules(tablebase, squares);
    graphs(tablebase, folder);
    CALL(dragnet_tablebase_close(tablebase));
}

int main(int argc, char **argv) {
    CHECK(argc == 4);
    about_the_library();
    sources();
    opening(argv[1], argv[3]);
    damage(argv[1]);
    stopping(argv[1]);
    wide_texts();
    changes_while_open(argv[1], argv[3]);

    dragnet_table *table, *clone;
    dragnet_info info;
    uint8_t squares[4096];
    size_t count, open = 0, last = 0, wall = 0;
    CALL(dragnet_table_open(argv[1], NULL, &clone));
    CALL(dragnet_table_clone(clone, &table));
    CALL(dragnet_table_close(clone));
    CALL(dragnet_table_info(table, &info));
    CALL(dragnet_table_squares(table, squares, sizeof squares, &count));
    CHECK(count <= sizeof squares);
    while (squares[open] != DRAGNET_SQUARE_OPEN) open++;
    while (squares[wall] != DRAGNET_SQUARE_WALL) wall++;
    for (size_t i = 0; i < count; i++) {
        if (squares[i] == DRAGNET_SQUARE_OPEN) last = i;
    }
#define CELL(place) {(uint16_t)((place) / info.width), (uint16_t)((place) % info.width)}
    dragnet_cell first = CELL(open), far = CELL(last), closed = CELL(wall);
    dragnet_position at = {.police = {first}, .thief = far, .turn = DRAGNET_POLICE};
    asking(table, first, closed);
    small_buffers(table, at);
    folders(table, argv[2], argv[3]);
    CALL(dragnet_table_close(table));
    return 0;
}
