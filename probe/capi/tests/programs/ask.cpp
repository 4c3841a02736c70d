// Prints all answers of a table through the C++ interface, as ask.c does, then tests what only C++ has.
// Usage: ask TABLE FOLDER
#include "answers.hpp"
#include <thread>

using namespace dragnet;

template <class Call> static dragnet_status failure(Call call) {
    try {
        call().value();
    } catch (const Error &error) {
        CHECK(error.what() == std::string(dragnet_last_error()));
        return error.status();
    }
    return DRAGNET_OK;
}

static void print_all(const Table &table) {
    print(table.info().value());
    std::printf("%s\n", table.source()->c_str());
    print(table.board().value());
    const std::vector<Position> positions = all_positions(table);
    const std::vector<Value> values = table.values(positions).value();
    for (std::size_t i = 0; i < positions.size(); i++) {
        const Position &at = positions[i];
        const Value value = table.value(at).value();
        CHECK(value.winner == values[i].winner && value.dtw == values[i].dtw);
        print(at, value, table.winner(at).value());
        const std::vector<Move> moves = *table.moves(at);
        print(moves);
        if (!moves.empty()) check_best(table, at, value, moves.front());
        const Line line = table.line(at).value();
        print(line.moves);
        std::printf(" %d\n", number(line.winner));
    }
}

static void share(const char *path) {
    const Table table = Open::whole(path).pursuit().value();
    const Cell cell = table.board()->open_cells().front();
    Table copy = table, moved = std::move(copy);
    copy = moved;
    moved = Open::mapped(path).pursuit().value();
    CHECK(moved.info()->digest == table.info()->digest);
    const Pieces team(std::vector<Cell>(static_cast<std::size_t>(table.info()->officers), cell));
    std::thread other([copy, team, cell] { CHECK(copy.value({team, cell, Side::thief})->winner == Side::police); });
    other.join();

    const Table empty = std::move(moved);
    CHECK(failure([&] { return moved.info(); }) == DRAGNET_ERROR_ARGUMENT);
    const Cell off{9999, 0};
    CHECK(failure([&] { return table.value({off, cell, Side::thief}); }) == DRAGNET_ERROR_POSITION);
    const auto worlds = static_cast<std::uint32_t>(table.info()->worlds);
    CHECK(failure([&] { return table.value({team, cell, Side::thief, worlds}); }) == DRAGNET_ERROR_POSITION);
    CHECK(failure([&] { return table.value({team, cell, Side::thief, worlds - 1}); }) == DRAGNET_OK);
    const Pieces four{{0, 0}, {0, 0}, {0, 0}, cell};
    CHECK(four.size() == 4);
    CHECK(failure([&] { return table.value({four, cell, Side::thief}); }) == DRAGNET_ERROR_POSITION);
    try {
        const std::vector<Cell> seven(7, cell);
        const Pieces too_many(seven);
        CHECK(false);
    } catch (const Error &error) {
        CHECK(error.status() == DRAGNET_ERROR_ARGUMENT);
    }
    try {
        table.values({{team, cell, Side::police}, {team, off, Side::police}}).value();
        CHECK(false);
    } catch (const Error &error) {
        CHECK(error.index() == std::size_t{1} && error.status() == DRAGNET_ERROR_POSITION);
    }
    CHECK(table.values({})->empty());
    CHECK(failure([] { return strength("evil"); }) == DRAGNET_ERROR_ARGUMENT);
    CHECK(failure([] { return Open::path("no such file").pursuit(); }) == DRAGNET_ERROR_FILE);
}

static void find(const char *path, const char *folder) {
    const Tablebase tables = Tablebase::open({folder}, 1).value();
    CHECK(tables.paths()->size() == 6 && tables.unreadable()->size() == 1);
    const Table table = Open::path(path).pursuit().value();
    const std::string source = table.source().value();
    // A game that a program gave has no source.
    CHECK(source.empty() || tables.table(source)->info()->digest == table.info()->digest);
    CHECK(failure([&] { return tables.table("board = '''\n..E\n'''\n"); }) == DRAGNET_ERROR_MISSING);
    CHECK(failure([&] { return tables.table(source + "\nexit = 4"); }) == DRAGNET_ERROR_ARGUMENT);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    print_all(Open::path(argv[1]).pursuit().value());
    share(argv[1]);
    find(argv[1], argv[2]);
}
