// Answers positions of standard input by a partial table through the C++ interface, as partial.c does.
// Usage: partial TABLE FULL, where FULL is a pursuit table.
#include "check.h"
#include <dragnet.hpp>
#include <iostream>

using namespace dragnet;

static dragnet_status failure(const std::string &path) {
    try {
        Open::path(path).partial().value();
    } catch (const Error &error) {
        return error.status();
    }
    return DRAGNET_OK;
}

static void answer(const PartialTable &table, const Position &at) {
    if (*table.keeps() == Keep::outcomes) {
        const Winner winner = *table.winner(at);
        std::printf("outcome %d\n", winner ? static_cast<int>(*winner) : 0);
        CHECK(table.best_move(at).error().status() == DRAGNET_ERROR_KIND);
        return;
    }
    CHECK(table.winner(at).error().status() == DRAGNET_ERROR_KIND);
    const auto found = table.best_move(at);
    if (!found) {
        std::printf("%s\n", dragnet_status_name(found.error().status()));
        return;
    }
    if (!*found) {
        std::printf("none\n");
        return;
    }
    const Position &after = **found;
    const char *between = "";
    for (const Cell cell : after.police) {
        std::printf("%s%d,%d", between, cell.row, cell.col);
        between = "+";
    }
    std::printf(" %d,%d %d %u\n", after.thief.row, after.thief.col, static_cast<int>(after.turn), after.world);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const PartialTable opened = Open::path(argv[1]).partial().value();
    const Table full = Open::path(argv[2]).pursuit().value();
    CHECK(opened.info()->digest == full.info()->digest && *opened.source() == *full.source());
    CHECK(opened.board()->open_cells().size() == full.info()->open_cells);
    CHECK(std::holds_alternative<PartialTable>(*Open::path(argv[1]).any()));
    std::size_t length = 0;
    std::uint8_t *bytes = read_file(argv[1], &length);
    const PartialTable tables[] = {opened, *Open::bytes(bytes, length).partial(),
                                   *Open::kept(bytes, length).partial()};
    std::size_t officers = 0;
    for (std::size_t asked = 0; std::cin >> officers; asked++) {
        std::vector<Cell> police(officers);
        Position at;
        int turn = 0;
        for (Cell &cell : police) std::cin >> cell.row >> cell.col;
        std::cin >> at.thief.row >> at.thief.col >> turn;
        at.police = police;
        at.turn = static_cast<Side>(turn);
        answer(tables[asked % 3], at);
    }
    for (const PartialTable &table : tables) table.check_sums().value();
    CHECK(failure(argv[2]) == DRAGNET_ERROR_KIND);
    CHECK(failure("no/such/file") == DRAGNET_ERROR_FILE);
    free(bytes);
}
