/*
 * Asks a table, in C.
 *
 *     probe TABLE          describes the table, and plays the longest win of the police among the
 *                          positions of world 0 with the police to move and all officers on one cell
 *     probe answer TABLE   answers a stream of positions as `dragnet probe TABLE --stdin` does: reads lines
 *                          "police_row police_col thief_row thief_col turn", with two numbers for each
 *                          officer, and with the world behind the turn unless it is 0; or numbers of
 *                          positions of a game table; prints "outcome TAB dtw"
 */
#include <dragnet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(dragnet_side outcome) {
    return outcome == DRAGNET_POLICE ? "police" : outcome == DRAGNET_THIEF ? "thief" : "draw";
}

/* Prints the error of a call that failed, and ends the program. */
static void check(dragnet_status status) {
    if (status != DRAGNET_OK) {
        fprintf(stderr, "%s: %s\n", dragnet_status_name(status), dragnet_last_error());
        exit(3);
    }
}

static void *room_for(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "not enough memory\n");
        exit(3);
    }
    return memory;
}

static void print_cells(const dragnet_cell *cells, int count) {
    for (int i = 0; i < count; i++) printf("%s%d,%d", i == 0 ? "" : "+", cells[i].row, cells[i].col);
}

static void print_value(dragnet_value value) {
    if (value.outcome == DRAGNET_DRAW) {
        printf("draw\t-\n");
    } else {
        printf("%s\t%" PRIu32 "\n", name_of(value.outcome), value.dtw);
    }
}

/* Reads a cell and advances the line behind it. Returns whether there was a cell. */
static int read_cell(const char **line, dragnet_cell *cell) {
    int length = 0;
    if (sscanf(*line, "%" SCNu16 "%" SCNu16 "%n", &cell->row, &cell->col, &length) != 2) return 0;
    *line += length;
    return 1;
}

/* Reads a position with `at->officers` officers. Returns whether the line is one. */
static int read_position(const char *line, dragnet_position *at) {
    char turn[8], more[2];
    for (int i = 0; i < at->officers; i++) {
        if (!read_cell(&line, &at->police[i])) return 0;
    }
    if (!read_cell(&line, &at->thief)) return 0;
    /* The world may be missing. */
    if (sscanf(line, "%7s%1s", turn, more) != 1 && sscanf(line, "%7s%" SCNu32 "%1s", turn, &at->world, more) != 2) {
        return 0;
    }
    at->turn = strcmp(turn, "police") == 0 ? DRAGNET_POLICE : DRAGNET_THIEF;
    return at->turn == DRAGNET_POLICE || strcmp(turn, "thief") == 0;
}

static int answer(const dragnet_table *table) {
    char line[256];
    dragnet_info info;
    check(dragnet_table_info(table, &info));
    while (fgets(line, sizeof line, stdin) != NULL) {
        dragnet_position at = {.officers = info.officers};
        if (!read_position(line, &at)) {
            fprintf(stderr, "expected ");
            for (int i = 0; i < info.officers; i++) fprintf(stderr, "police_row police_col ");
            fprintf(stderr, "thief_row thief_col and police or thief, found %s", line);
            return 2;
        }
        dragnet_value value;
        check(dragnet_table_value(table, &at, &value));
        print_value(value);
    }
    return 0;
}

static int answer_numbers(const dragnet_table *table) {
    char line[256], digit[2], more[2];
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint64_t position;
        /* scanf would accept a minus. */
        if (sscanf(line, " %1[0-9]", digit) != 1 || sscanf(line, "%" SCNu64 "%1s", &position, more) != 1) {
            fprintf(stderr, "expected the number of a position, found %s", line);
            return 2;
        }
        dragnet_game_value value;
        check(dragnet_game_table_value(table, position, &value));
        if (value.result == DRAGNET_DRAWN) {
            printf("drawn\t-\n");
        } else {
            printf("%s\t%" PRIu32 "\n", value.result == DRAGNET_WON ? "won" : "lost", value.dtw);
        }
    }
    return 0;
}

/*
 * Finds the longest win of the police with all officers on one cell and the police to move. Returns whether
 * there is one.
 */
static int longest_win(const dragnet_table *table, const dragnet_info *info, dragnet_position *longest) {
    size_t count, asked = 0;
    check(dragnet_table_squares(table, NULL, 0, &count));
    uint8_t *squares = room_for(count, 1);
    check(dragnet_table_squares(table, squares, count, &count));

    /* One call for all positions is quicker than a call for each. */
    size_t most = (size_t)(info->open_cells * info->open_cells);
    dragnet_position *positions = room_for(most, sizeof *positions);
    dragnet_value *values = room_for(most, sizeof *values);
    for (size_t police = 0; police < count; police++) {
        for (size_t thief = 0; thief < count; thief++) {
            if (squares[police] != DRAGNET_SQUARE_WALL && squares[thief] != DRAGNET_SQUARE_WALL) {
                dragnet_cell p = {(uint16_t)(police / info->width), (uint16_t)(police % info->width)};
                dragnet_cell t = {(uint16_t)(thief / info->width), (uint16_t)(thief % info->width)};
                dragnet_position at = {.thief = t, .turn = DRAGNET_POLICE, .officers = info->officers};
                for (int i = 0; i < info->officers; i++) at.police[i] = p;
                positions[asked++] = at;
            }
        }
    }
    check(dragnet_table_values(table, positions, asked, values, NULL));

    size_t best = asked;
    for (size_t i = 0; i < asked; i++) {
        if (values[i].outcome == DRAGNET_POLICE && (best == asked || values[i].dtw > values[best].dtw)) best = i;
    }
    if (best < asked) *longest = positions[best];
    free(values);
    free(positions);
    free(squares);
    return best < asked;
}

static int describe(const dragnet_table *table) {
    dragnet_info info;
    check(dragnet_table_info(table, &info));
    printf("%" PRIu32 "x%" PRIu32 " squares, %" PRIu64 " open cells, %" PRIu64 " positions, digest %016" PRIx64 "\n",
           info.height, info.width, info.open_cells, info.positions, info.digest);

    dragnet_position at;
    if (!longest_win(table, &info, &at)) {
        printf("the police wins no position\n");
        return 0;
    }
    dragnet_value value;
    check(dragnet_table_value(table, &at, &value));
    printf("police ");
    print_cells(at.police, at.officers);
    printf(", thief %d,%d, police to move: ", at.thief.row, at.thief.col);
    print_value(value);

    size_t count;
    check(dragnet_table_moves(table, &at, NULL, 0, &count));
    dragnet_move *moves = room_for(count, sizeof *moves);
    check(dragnet_table_moves(table, &at, moves, count, &count));
    for (size_t i = 0; i < count; i++) {
        printf("  to ");
        print_cells(moves[i].to, moves[i].count);
        printf(": ");
        print_value(moves[i].value);
    }
    free(moves);

    /* A won position has as many moves as its distance. */
    dragnet_move *line = room_for(value.dtw, sizeof *line);
    check(dragnet_table_line(table, &at, line, value.dtw, &count, NULL));
    for (size_t i = 0; i < count && i < value.dtw; i++) {
        printf("%s%s ", i == 0 ? "" : "; ", name_of(line[i].side));
        print_cells(line[i].to, line[i].count);
    }
    printf("\n");
    free(line);
    return 0;
}

int main(int argc, char **argv) {
    int answers = argc == 3 && strcmp(argv[1], "answer") == 0;
    if (!answers && argc != 2) {
        fprintf(stderr, "usage: probe [answer] TABLE\n");
        return 2;
    }
    dragnet_source source = {.path = argv[argc - 1]};
    dragnet_table *table;
    dragnet_kind kind;
    int status;
    check(dragnet_open(&source, DRAGNET_TABLE_ANY, &table));
    check(dragnet_table_kind(table, &kind));
    if (answers) {
        status = kind == DRAGNET_TABLE_GAME ? answer_numbers(table) : answer(table);
    } else {
        status = describe(table);
    }
    check(dragnet_table_close(table));
    return status;
}
