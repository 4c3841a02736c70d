// Prints the best move of a position of TABLE. Usage: ask TABLE
#include <cstdio>
#include <dragnet.hpp>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const auto table = dragnet::Open::path(argv[1]).pursuit();
    if (!table) {
        std::fprintf(stderr, "%s\n", table.error().message().c_str());
        return 1;
    }
    const auto best = table->best_move({{0, 8}, {0, 12}, dragnet::Side::police});
    if (!best || !*best) return 1;
    const dragnet::Move &move = **best;
    std::printf("%d,%d wins in %u plies\n", move.to[0].row, move.to[0].col, unsigned{move.value.dtw} + 1);
}
