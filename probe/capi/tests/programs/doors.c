/*
 * Asks a table on a board with doors for every position, then makes calls that must fail. Usage: doors TABLE
 * OTHER, where OTHER is a game table without doors.
 */
#include "check.h"

static void print_after(const dragnet_door_move *move) {
    const dragnet_door_position *at = &move->after;
    printf(" %d,%d;%d,%d;%d;%u;%u=%d/%u", at->police.row, at->police.col, at->thief.row, at->thief.col, (int)at->turn,
           (unsigned)at->keys, (unsigned)at->phase, (int)move->value.outcome, (unsigned)move->value.dtw);
}

static void answer(const dragnet_game_table *table, const dragnet_door_board *board, const dragnet_door_position *at) {
    dragnet_door_move moves[64], best;
    dragnet_value value;
    uint64_t number;
    dragnet_side winner;
    size_t count, found;
    CALL(dragnet_door_number(table, at, &number));
    CALL(dragnet_door_value(table, at, &value));
    CALL(dragnet_door_winner(table, at, &winner));
    CALL(dragnet_door_moves(table, at, moves, 64, &count));
    CALL(dragnet_door_moves(table, at, &best, 1, &found));
    CHECK(found == count && (found == 0 || memcmp(&best, moves, sizeof best) == 0));
    printf("%llu %d/%u %d", (unsigned long long)number, (int)value.outcome, (unsigned)value.dtw, (int)winner);
    for (uint32_t door = 0; door < board->doors; door++) {
        int32_t open = 77;
        CALL(dragnet_door_is_open(table, door, at, &open));
        printf(" %d", (int)open);
    }
    for (size_t i = 0; i < count; i++) print_after(&moves[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    dragnet_game_table *table, *other;
    dragnet_door_board board;
    dragnet_door doors[8];
    dragnet_cell keys[8];
    size_t count;
    int32_t open;
    CALL(dragnet_game_table_open(argv[1], NULL, &table));
    CALL(dragnet_door_board_of(table, &board));
    printf("%u %u %u %u %u\n", (unsigned)board.height, (unsigned)board.width, (unsigned)board.doors,
           (unsigned)board.keys, (unsigned)board.phases);
    CALL(dragnet_door_doors(table, doors, 8, &count));
    CHECK(count == board.doors);
    for (size_t i = 0; i < count; i++) {
        printf("%d,%d key %d,%d open %d period %u schedule %u\n", doors[i].cell.row, doors[i].cell.col,
               doors[i].key.row, doors[i].key.col, (int)doors[i].open, (unsigned)doors[i].period,
               (unsigned)doors[i].schedule);
    }
    CALL(dragnet_door_keys(table, keys, 8, &count));
    CHECK(count == board.keys);
    for (size_t i = 0; i < count; i++) printf("key %d,%d\n", keys[i].row, keys[i].col);
    CHECK(board.stuck == DRAGNET_STUCK_LOSES && board.undecided == DRAGNET_NOBODY);
    uint8_t *squares = room_for((size_t)board.height * board.width, 1);
    CALL(dragnet_door_squares(table, squares, (size_t)board.height * board.width, &count));
    CHECK(count == (size_t)board.height * board.width);
    for (size_t i = 0; i < count; i++) printf("%d", squares[i]);
    printf("\n");
    dragnet_door_position at = {{0, 0}, {0, 0}, DRAGNET_POLICE, 0, 0};
    for (at.keys = 0; at.keys >> board.keys == 0; at.keys++) {
        for (at.phase = 0; at.phase < board.phases; at.phase++) {
            for (at.turn = DRAGNET_POLICE; at.turn <= DRAGNET_THIEF; at.turn++) {
                for (size_t police = 0; police < count; police++) {
                    for (size_t thief = 0; thief < count; thief++) {
                        if (squares[police] == DRAGNET_SQUARE_WALL || squares[thief] == DRAGNET_SQUARE_WALL) continue;
                        at.police.row = (uint16_t)(police / board.width);
                        at.police.col = (uint16_t)(police % board.width);
                        at.thief.row = (uint16_t)(thief / board.width);
                        at.thief.col = (uint16_t)(thief % board.width);
                        answer(table, &board, &at);
                    }
                }
            }
        }
    }

    uint64_t number = 77;
    dragnet_door_position wrong = {{0, 0}, {0, 0}, DRAGNET_POLICE, 0, 0};
    wrong.phase = board.phases;
    FAILS(dragnet_door_number(table, &wrong, &number), DRAGNET_ERROR_POSITION, "phase");
    wrong.phase = 0;
    wrong.keys = 1u << board.keys;
    FAILS(dragnet_door_is_open(table, 0, &wrong, &open), DRAGNET_ERROR_POSITION, "keys");
    wrong.keys = 256;
    FAILS(dragnet_door_number(table, &wrong, &number), DRAGNET_ERROR_ARGUMENT, "at most 255, found 256");
    wrong.keys = 0;
    wrong.thief.row = (uint16_t)board.height;
    FAILS(dragnet_door_number(table, &wrong, &number), DRAGNET_ERROR_POSITION, "thief");
    wrong.thief.row = 0;
    wrong.turn = 3;
    FAILS(dragnet_door_number(table, &wrong, &number), DRAGNET_ERROR_ARGUMENT, "turn");
    wrong.turn = DRAGNET_THIEF;
    FAILS(dragnet_door_is_open(table, board.doors, &wrong, &open), DRAGNET_ERROR_ARGUMENT, "door: expected 0 to");
    FAILS(dragnet_door_number(table, NULL, &number), DRAGNET_ERROR_ARGUMENT, "position is NULL");
    CHECK(number == 77);
    CALL(dragnet_game_table_open(argv[2], NULL, &other));
    FAILS(dragnet_door_board_of(other, &board), DRAGNET_ERROR_KIND, "doors");
    FAILS(dragnet_door_number(other, &wrong, &number), DRAGNET_ERROR_KIND, "doors");
    CALL(dragnet_game_table_close(other));
    CALL(dragnet_game_table_close(table));
    free(squares);
    return 0;
}
