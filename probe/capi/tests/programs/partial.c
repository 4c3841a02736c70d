/*
 * Answers positions of standard input, each "officers, cells of the officers, cell of the thief, turn" in
 * numbers, by a partial table, then makes calls that must fail. Usage: partial TABLE FULL, where FULL is a
 * pursuit table.
 */
#include "check.h"

static int read_position(dragnet_position *at) {
    int officers, row, col, turn;
    memset(at, 0, sizeof *at);
    if (scanf("%d", &officers) != 1) return 0;
    at->officers = officers;
    for (int i = 0; i < officers; i++) {
        CHECK(scanf("%d %d", &row, &col) == 2);
        at->police[i] = (dragnet_cell){(uint16_t)row, (uint16_t)col};
    }
    CHECK(scanf("%d %d %d", &row, &col, &turn) == 3);
    at->thief = (dragnet_cell){(uint16_t)row, (uint16_t)col};
    at->turn = turn;
    return 1;
}

/* Prints the answer, or the name of the status of a question that the table does not answer. */
static void answer(const dragnet_table *table, int32_t keeps, const dragnet_position *at) {
    int32_t outcome = 77;
    dragnet_position next;
    size_t count = 77;
    if (keeps == DRAGNET_KEEPS_OUTCOMES) {
        CALL(dragnet_partial_table_outcome(table, at, &outcome));
        printf("outcome %d\n", (int)outcome);
        FAILS(dragnet_partial_table_best_move(table, at, &next, &count), DRAGNET_ERROR_KIND, "keeps who wins");
        CHECK(count == 77);
        return;
    }
    FAILS(dragnet_partial_table_outcome(table, at, &outcome), DRAGNET_ERROR_KIND, "keeps the moves of");
    CHECK(outcome == 77);
    dragnet_status status = dragnet_partial_table_best_move(table, at, &next, &count);
    if (status != DRAGNET_OK) {
        printf("%s\n", dragnet_status_name(status));
        return;
    }
    if (count == 0) {
        printf("none\n");
        return;
    }
    CHECK(count == 1 && next.officers == at->officers);
    for (int i = 0; i < next.officers; i++) {
        printf("%s%d,%d", i == 0 ? "" : "+", next.police[i].row, next.police[i].col);
    }
    printf(" %d,%d %d %u\n", next.thief.row, next.thief.col, (int)next.turn, (unsigned)next.world);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const char *ways[] = {"open", "copy", "keep", "read"};
    dragnet_table *tables[4], *none = (dragnet_table *)&none;
    dragnet_position at;
    dragnet_kind kind;
    dragnet_info info, full_info;
    int32_t keeps = 77;
    size_t length;
    uint8_t *bytes = read_file(argv[1], &length);
    for (size_t i = 0; i < 4; i++) {
        dragnet_source source = source_of(ways[i], argv[1], bytes, length);
        CALL(dragnet_open(&source, DRAGNET_TABLE_PARTIAL, &tables[i]));
        CALL(dragnet_table_kind(tables[i], &kind));
        CHECK(kind == DRAGNET_TABLE_PARTIAL);
    }
    const dragnet_table *table = tables[0];
    CALL(dragnet_partial_table_keeps(table, &keeps));
    for (size_t asked = 0; read_position(&at); asked++) answer(tables[asked % 4], keeps, &at);
    for (size_t i = 0; i < 4; i++) CALL(dragnet_table_check_sums(tables[i], NULL));

    FAILS(open_file(argv[2], DRAGNET_TABLE_PARTIAL, &none), DRAGNET_ERROR_KIND, "a partial table");
    CHECK(none == NULL);
    FAILS(open_file(argv[1], DRAGNET_TABLE_PURSUIT, &none), DRAGNET_ERROR_KIND, "a partial table");
    CHECK(none == NULL);
    /* A partial table has the properties of the table from which it was made, and not its values. */
    CALL(open_file(argv[2], DRAGNET_TABLE_ANY, &none));
    CALL(dragnet_table_info(none, &full_info));
    CALL(dragnet_table_close(none));
    CALL(dragnet_table_info(table, &info));
    CHECK(info.digest == full_info.digest && info.file_length == length);
    dragnet_value value;
    memset(&at, 0, sizeof at);
    at.turn = DRAGNET_POLICE;
    FAILS(dragnet_table_value(table, &at, &value), DRAGNET_ERROR_KIND, "a partial table");
    memset(&at, 0, sizeof at);
    at.officers = keeps == DRAGNET_KEEPS_OUTCOMES ? 1 : 2;
    at.turn = keeps == DRAGNET_KEEPS_MOVES_OF_THIEF ? DRAGNET_THIEF : DRAGNET_POLICE;
    at.world = 1;
    dragnet_position next;
    size_t count;
    FAILS(keeps == DRAGNET_KEEPS_OUTCOMES ? dragnet_partial_table_outcome(table, &at, &keeps)
                                          : dragnet_partial_table_best_move(table, &at, &next, &count),
          DRAGNET_ERROR_POSITION, "expected a world below 1, found 1");
    at.turn = 9;
    FAILS(dragnet_partial_table_outcome(table, &at, &keeps), DRAGNET_ERROR_ARGUMENT, "turn");
    FAILS(dragnet_partial_table_keeps(NULL, &keeps), DRAGNET_ERROR_ARGUMENT, "table is NULL");
    FAILS(dragnet_partial_table_keeps(table, NULL), DRAGNET_ERROR_ARGUMENT, "keeps is NULL");
    for (size_t i = 0; i < 4; i++) CALL(dragnet_table_close(tables[i]));
    free(bytes);
    return 0;
}
