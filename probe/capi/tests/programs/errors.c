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

/* Whatever fails, a source is closed once. */
static void sources(const char *path) {
    int closed = 0;
    dragnet_table *table;
    size_t length;
    uint8_t *bytes = read_file(path, &length);
    const dragnet_source mute = {.read = read_nothing, .close = count_closed, .context = &closed, .length = 100};
    dragnet_source source = mute;
    FAILS(dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table), DRAGNET_ERROR_FILE, "returned 1");
    CHECK(closed == 1);
    source.read = NULL;
    ARGUMENT(dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table), "found none or several");
    CHECK(closed == 2);
    ARGUMENT(dragnet_open(&mute, 4, &table), "kind: expected 0 to 3, found 4");
    CHECK(closed == 3);
    ARGUMENT(dragnet_open(&mute, DRAGNET_TABLE_ANY, NULL), "table is NULL");
    CHECK(closed == 4);
    source = mute;
    source.path = path;
    ARGUMENT(dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table), "found none or several");
    CHECK(closed == 5 && table == NULL);
    ARGUMENT(dragnet_open(NULL, DRAGNET_TABLE_PURSUIT, &table), "source is NULL");
    /* Bytes that the caller keeps are needed until the table is closed. */
    source = (dragnet_source){.kept = bytes, .close = count_closed, .context = &closed, .length = length};
    CALL(dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table));
    CHECK(closed == 5);
    CALL(dragnet_table_close(table));
    CHECK(closed == 6);
    source.bytes = source.kept;
    source.kept = NULL;
    CALL(dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table));
    CHECK(closed == 7);
    CALL(dragnet_table_close(table));
    free(bytes);
}

static void opening(const char *path, const char *scratch) {
    dragnet_table *table = (dragnet_table *)&table;
#define OPEN(...) dragnet_open(&(dragnet_source){__VA_ARGS__}, DRAGNET_TABLE_PURSUIT, &table)
    size_t length;
    uint8_t *bytes = read_file(path, &length);
    char file[4096];

    FAILS(OPEN(.path = "no/such/file"), DRAGNET_ERROR_FILE, "no/such/file");
    CHECK(table == NULL);
    FAILS(OPEN(.whole = scratch), DRAGNET_ERROR_FILE, "found a folder");
    FAILS(OPEN(.mapped = "no/such/file"), DRAGNET_ERROR_FILE, "no/such/file");
    FAILS(OPEN(.bytes = bytes, .length = 0), DRAGNET_ERROR_NOT_A_TABLE, "not a Dragnet table");
    ARGUMENT(OPEN(.kept = bytes, .length = UINT64_MAX), "source.kept cannot have");
    ARGUMENT(OPEN(.bytes = bytes, .length = UINT64_MAX), "source.bytes cannot have");
    FAILS(OPEN(.bytes = bytes, .length = length - 1), DRAGNET_ERROR_DAMAGED, "cut short");
    CALL(dragnet_table_close(NULL));

    /* On Unix, a name may have any bytes except NUL and a slash. */
    snprintf(file, sizeof file, "%s/\xff\xfe.dtb", scratch);
    write_file(file, bytes, length);
    CALL(OPEN(.path = file));
    CALL(dragnet_table_close(table));
    bytes[8] = 99;
    write_file(file, bytes, length);
    FAILS(OPEN(.path = file), DRAGNET_ERROR_VERSION, "expected format version 2, found 99");
    CHECK(strncmp(dragnet_last_error(), scratch, strlen(scratch)) == 0);
    bytes[0] = 0;
    write_file(file, bytes, length);
    FAILS(OPEN(.whole = file), DRAGNET_ERROR_NOT_A_TABLE, "not a Dragnet table");
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
    dragnet_source whole = {.whole = path};
    size_t length;
    uint8_t *bytes = read_file(path, &length);
    char file[4096];
    snprintf(file, sizeof file, "%s/changed.dtb", scratch);
    CALL(dragnet_open(&whole, DRAGNET_TABLE_PURSUIT, &right));
    CHECK(dragnet_cache_set_limit(0) == DRAGNET_OK); /* so that no block is kept */
    for (size_t kept = 0; kept < length; kept += 97) {
        for (int overwrite = 0; overwrite < 2; overwrite++) {
            write_file(file, bytes, length);
            CALL(open_file(file, DRAGNET_TABLE_PURSUIT, &table));
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

/* Damage beyond what opening reads is found by a check. */
static void damage(const char *path) {
    dragnet_table *table = NULL;
    size_t length, at;
    uint8_t *bytes = read_file(path, &length);
    const dragnet_source source = {.bytes = bytes, .length = length};
    for (at = length - 1; at > 0; at--) {
        bytes[at] ^= 1;
        if (dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table) == DRAGNET_OK) break;
        bytes[at] ^= 1;
    }
    CHECK(at > 0);
    FAILS(dragnet_table_check_sums(table, NULL), DRAGNET_ERROR_DAMAGED, "damaged");
    CALL(dragnet_table_close(table));
    ARGUMENT(dragnet_table_check_sums(NULL, NULL), "table is NULL");
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
    CALL(open_file(path, DRAGNET_TABLE_PURSUIT, &table));
    CALL(dragnet_table_check_sums(table, &progress));
    CHECK(all.calls == all.blocks && all.blocks > 2);
    progress.context = &some;
    FAILS(dragnet_table_check_sums(table, &progress), DRAGNET_ERROR_STOPPED, "the check was stopped after 2 of ");
    CHECK(some.calls == 2);
    progress.report = NULL;
    ARGUMENT(dragnet_table_check_sums(table, &progress), "progress.report is NULL");
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

/* A game goes from world to world, and a world that the table does not have is refused by every question. */
static void worlds(const char *folder) {
    dragnet_table *table;
    dragnet_info info;
    dragnet_position at = {.police = {{0, 0}}, .thief = {2, 2}, .turn = DRAGNET_POLICE};
    dragnet_value value;
    dragnet_move moves[16];
    dragnet_side winner;
    dragnet_review review;
    size_t count;
    char file[4096];
    snprintf(file, sizeof file, "%s/v2-doors.dtb", folder);
    CALL(open_file(file, DRAGNET_TABLE_PURSUIT, &table));
    CALL(dragnet_table_info(table, &info));
    CHECK(info.worlds == 6);
    CALL(dragnet_table_line(table, &at, moves, 16, &count, NULL));
    CHECK(count > 0 && count <= 16);
    dragnet_position game[17] = {at};
    for (size_t i = 0; i < count; i++) game[i + 1] = after(game[i], &moves[i]);
    CALL(dragnet_table_review(table, game, count + 1, DRAGNET_POLICE, &review, NULL, 0));
    CHECK(review.moves == (count + 1) / 2 && review.errors == 0);
    game[1].world = (game[1].world + 1) % 6;
    ARGUMENT(dragnet_table_review(table, game, 2, DRAGNET_POLICE, &review, NULL, 0), "found position 1 (from 0)");
    for (; at.world < 6; at.world++) CALL(dragnet_table_value(table, &at, &value));
#define REFUSED(call) FAILS(call, DRAGNET_ERROR_POSITION, "expected a world below 6, found 6")
    REFUSED(dragnet_table_value(table, &at, &value));
    REFUSED(dragnet_table_values(table, &at, 1, &value, NULL));
    REFUSED(dragnet_table_moves(table, &at, moves, 16, &count));
    REFUSED(dragnet_table_best_move(table, &at, moves, &count));
    REFUSED(dragnet_table_line(table, &at, moves, 16, &count, NULL));
    REFUSED(dragnet_table_winner(table, &at, &winner));
    REFUSED(dragnet_table_review(table, &at, 1, DRAGNET_POLICE, &review, NULL, 0));
    CALL(dragnet_table_close(table));
}

/* Buffers that are too small are filled, and no byte beyond them is written. */
static void small_buffers(const dragnet_table *table, dragnet_position at) {
    dragnet_move moves[64], few[2];
    uint8_t squares[4] = {9, 9, 9, 9};
    size_t count, all;
    CALL(dragnet_table_moves(table, &at, moves, 64, &all));
    CHECK(all > 1 && all <= 64);
    memset(few, 0x77, sizeof few);
    CALL(dragnet_table_moves(table, &at, few, 1, &count));
    CHECK(count == all && memcmp(&few[0], &moves[0], sizeof few[0]) == 0 && few[1].side == 0x77777777);
    CALL(dragnet_table_line(table, &at, few, 1, &count, NULL));
    CHECK(count > 1 && few[1].side == 0x77777777);
    CALL(dragnet_table_squares(table, squares, 3, &count));
    CHECK(count > 3 && squares[2] != 9 && squares[3] == 9);
    ARGUMENT(dragnet_table_squares(table, NULL, 3, &count), "squares is NULL");
    ARGUMENT(dragnet_table_squares(table, NULL, 0, NULL), "count is NULL");
    ARGUMENT(dragnet_table_source(table, NULL, 3, &count), "source is NULL");
    ARGUMENT(dragnet_table_source(table, NULL, 0, NULL), "length is NULL");
    ARGUMENT(dragnet_table_info(table, NULL), "info is NULL");
}

static void wrong_sources(const dragnet_tablebase *folder) {
    dragnet_table *table;
#define WRONG(text, words)                                                     \
    do {                                                                       \
        ARGUMENT(dragnet_tablebase_table(folder, text, &table), words);        \
        CHECK(table == NULL);                                                  \
    } while (0)
    WRONG(NULL, "source is NULL");
    WRONG("board = '''\n\xff\n'''\n", "source: expected UTF-8");
    WRONG("", "source: expected the line board = ");
    WRONG("board = '''\n..@\n'''\n", "source: board: ");
    WRONG("graph = '''\n1\n2\n'''\n", "found \"2\" in line 2");
    WRONG("board = '''\n..\n'''\nrules.officers = 7", "a number from 0 to 6");
    WRONG("board = '''\n..\n'''\nrules.police.moves = 'edges'", "source: rules: ");
}

/* Finds the golden table with two officers on a graph by its source, and by one of the same meaning. */
static void graphs(const dragnet_tablebase *folder, const char *path) {
    dragnet_table *table, *found;
    dragnet_info info, same;
    uint8_t squares[64];
    size_t vertices, length;
    char file[4096], source[4096];
    snprintf(file, sizeof file, "%s/v2-cops.dtb", path);
    CALL(open_file(file, DRAGNET_TABLE_PURSUIT, &table));
    CALL(dragnet_table_info(table, &info));
    CHECK(info.officers == 2 && info.undecided == DRAGNET_THIEF && info.height == 1 && info.width == 11);
    CHECK(info.officer_layers == 1 && info.thief_layers == 1);
    CALL(dragnet_table_squares(table, squares, 64, &vertices));
    CHECK(vertices == 11 && squares[6] == DRAGNET_SQUARE_EXIT);
    CALL(dragnet_table_source(table, source, sizeof source, &length));
    CHECK(strlen(source) == length && strncmp(source, "graph = ", 8) == 0);
    CALL(dragnet_tablebase_table(folder, source, &found));
    CALL(dragnet_table_info(found, &same));
    CHECK(same.digest == info.digest);
    CALL(dragnet_table_close(found));
    strcat(source, "\n# A comment changes nothing.\n");
    CALL(dragnet_tablebase_table(folder, source, &found));
    CALL(dragnet_table_close(found));
    CALL(dragnet_table_close(table));
}

static void folders(const dragnet_table *table, const char *folder, const char *scratch) {
    dragnet_tablebase *tablebase;
    dragnet_tablebase_info files;
    dragnet_table *found;
    dragnet_info info, same;
    const char *names[] = {scratch, folder, NULL};
    char text[4096], little[4] = "...";
    size_t count, length;

    ARGUMENT(dragnet_tablebase_open(NULL, 2, 0, &tablebase), "folders is NULL");
    ARGUMENT(dragnet_tablebase_open(names, 3, 0, &tablebase), "folders[2] is NULL");
    ARGUMENT(dragnet_tablebase_open(names, 2, 0, NULL), "tablebase is NULL");
    names[2] = "no/such/folder";
    FAILS(dragnet_tablebase_open(names, 3, 0, &tablebase), DRAGNET_ERROR_FILE, "no/such/folder");
    CHECK(tablebase == NULL);
    CALL(dragnet_tablebase_open(names, 2, 1, &tablebase));
    CALL(dragnet_tablebase_close(NULL));

    CALL(dragnet_tablebase_info_of(tablebase, &files));
    CHECK(files.tables == 6 && files.unreadable == 1);
    CALL(dragnet_tablebase_path(tablebase, 1, text, sizeof text, &length));
    CHECK(strncmp(text, folder, strlen(folder)) == 0 && strlen(text) == length);
    CALL(dragnet_tablebase_path(tablebase, 1, little, sizeof little, &count));
    CHECK(count == length && strncmp(little, text, 3) == 0 && little[3] == '\0');
    ARGUMENT(dragnet_tablebase_path(tablebase, 6, text, sizeof text, &length), "a number below 6, found 6");
    CALL(dragnet_tablebase_unreadable_message(tablebase, 0, NULL, 0, &length));
    CALL(dragnet_tablebase_unreadable_message(tablebase, 0, text, sizeof text, &count));
    CHECK(count == length && strstr(text, "not a Dragnet table") != NULL);
    ARGUMENT(dragnet_tablebase_unreadable_message(tablebase, 1, text, sizeof text, &length), "index");
    ARGUMENT(dragnet_tablebase_info_of(NULL, &files), "tablebase is NULL");
    ARGUMENT(dragnet_tablebase_info_of(tablebase, NULL), "info is NULL");

    CALL(dragnet_table_info(table, &info));
    CALL(dragnet_table_source(table, text, sizeof text, &length));
    CHECK(strlen(text) == length);
    CALL(dragnet_tablebase_table(tablebase, text, &found));
    CALL(dragnet_table_info(found, &same));
    CHECK(same.digest == info.digest);
    CALL(dragnet_table_close(found));
    FAILS(dragnet_tablebase_table(tablebase, "board = '''\n..E\n'''\n", &found), DRAGNET_ERROR_MISSING,
          "no table for this board");
    ARGUMENT(dragnet_tablebase_table(tablebase, text, NULL), "table is NULL");
    wrong_sources(tablebase);
    graphs(tablebase, folder);
    CALL(dragnet_tablebase_close(tablebase));
}

int main(int argc, char **argv) {
    CHECK(argc == 4);
    about_the_library();
    sources(argv[1]);
    opening(argv[1], argv[3]);
    damage(argv[1]);
    stopping(argv[1]);
    wide_texts();
    changes_while_open(argv[1], argv[3]);

    dragnet_table *table;
    dragnet_info info;
    uint8_t squares[4096];
    size_t count, open = 0, last = 0, wall = 0;
    CALL(open_file(argv[1], DRAGNET_TABLE_PURSUIT, &table));
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
    worlds(argv[2]);
    CALL(dragnet_table_close(table));
    return 0;
}
