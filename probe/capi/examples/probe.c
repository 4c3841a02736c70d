/*
 * Asks a table, in C.
 *
 *     probe TABLE          tells about the table and plays its longest win from a position with the police to move
 *     probe answer TABLE   answers lines "police_row police_col thief_row thief_col turn" from standard input with lines
 *                          "outcome TAB dtw", as `dragnet probe TABLE --stdin` does
 */
#include <dragnet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(dragnet_side outcome) {
    return outcome == DRAGNET_POLICE ? "police" : outcome == DRAGNET_THIEF ? "thief" : "draw";
}

/* Says what the last call has to say, and ends the program unless it succeeded. */
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

static void print_value(dragnet_value value) {
    if (value.outcome == DRAGNET_DRAW) {
        printf("draw\t-\n");
    } else {
        printf("%s\t%" PRIu32 "\n", name_of(value.outcome), value.dtw);
    }
}

static int answer(const dragnet_table *table) {
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        dragnet_position at;
        char turn[8], more[2];
        int words = sscanf(line, "%" SCNu16 "%" SCNu16 "%" SCNu16 "%" SCNu16 "%7s%1s", &at.police.row,
                           &at.police.col, &at.thief.row, &at.thief.col, turn, more);
        int police = words == 5 && strcmp(turn, "police") == 0;
        if (words != 5 || (!police && strcmp(turn, "thief") != 0)) {
            fprintf(stderr, "expected police_row police_col thief_row thief_col and police or thief, found %s", line);
            return 2;
        }
        at.turn = police ? DRAGNET_POLICE : DRAGNET_THIEF;
        dragnet_value value;
        check(dragnet_table_value(table, &at, &value));
        print_value(value);
    }
    return 0;
}

/* Finds the win of the police that takes longest, with the police to move. Whether there is one. */
static int longest_win(const dragnet_table *table, const dragnet_info *info, dragnet_position *longest) {
    size_t count, asked = 0;
    check(dragnet_table_squares(table, NULL, 0, &count));
    uint8_t *squares = room_for(count, 1);
    check(dragnet_table_squares(table, squares, count, &count));

    /* All at once: quicker than one by one. */
    size_t most = (size_t)(info->open_cells * info->open_cells);
    dragnet_position *positions = room_for(most, sizeof *positions);
    dragnet_value *values = room_for(most, sizeof *values);
    for (size_t police = 0; police < count; police++) {
        for (size_t thief = 0; thief < count; thief++) {
            if (squares[police] != DRAGNET_SQUARE_WALL && squares[thief] != DRAGNET_SQUARE_WALL) {
                dragnet_cell p = {(uint16_t)(police / info->width), (uint16_t)(police % info->width)};
                dragnet_cell t = {(uint16_t)(thief / info->width), (uint16_t)(thief % info->width)};
                positions[asked++] = (dragnet_position){p, t, DRAGNET_POLICE};
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

static int tell(const dragnet_table *table) {
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
    printf("police %d,%d, thief %d,%d, police to move: ", at.police.row, at.police.col, at.thief.row, at.thief.col);
    print_value(value);

    dragnet_move moves[DRAGNET_MAX_OFFSETS + 1];
    size_t count;
    check(dragnet_table_moves(table, &at, moves, sizeof moves / sizeof *moves, &count));
    for (size_t i = 0; i < count; i++) {
        printf("  to %d,%d: ", moves[i].to.row, moves[i].to.col);
        print_value(moves[i].value);
    }

    /* A win has as many moves as plies. */
    dragnet_move *line = room_for(value.dtw, sizeof *line);
    check(dragnet_table_line(table, &at, line, value.dtw, &count, NULL));
    for (size_t i = 0; i < count && i < value.dtw; i++) {
        printf("%s%s %d,%d", i == 0 ? "" : "; ", name_of(line[i].side), line[i].to.row, line[i].to.col);
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
    dragnet_table *table;
    check(dragnet_table_open(argv[argc - 1], NULL, &table));
    int status = answers ? answer(table) : tell(table);
    check(dragnet_table_close(table));
    return status;
}
