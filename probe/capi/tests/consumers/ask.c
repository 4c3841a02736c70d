/* Prints the best move of a position of TABLE. Usage: ask TABLE */
#include <dragnet.h>
#include <stdio.h>

int main(int argc, char **argv) {
    dragnet_source source = {.path = argv[argc - 1]};
    dragnet_table *table;
    if (argc != 2 || dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table) != DRAGNET_OK) {
        fprintf(stderr, "%s\n", dragnet_last_error());
        return 1;
    }
    dragnet_position position = {.police = {{0, 8}}, .thief = {0, 12}, .turn = DRAGNET_POLICE};
    dragnet_move best;
    size_t count;
    if (dragnet_table_moves(table, &position, &best, 1, &count) != DRAGNET_OK || count == 0) return 1;
    printf("%d,%d wins in %u plies\n", best.to[0].row, best.to[0].col, (unsigned)best.value.dtw + 1);
    dragnet_table_close(table);
    return 0;
}
