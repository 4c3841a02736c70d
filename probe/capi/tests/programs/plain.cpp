// Prints all answers of a table as ask.cpp does, but without exceptions and with buffers, then tests the
// failures and counts the allocations. Compiled with -fno-exceptions -fno-rtti.
// Usage: plain TABLE FOLDER GAME, where GAME is a game table.
#include "answers.hpp"
#include <new>

using namespace dragnet;

#if DRAGNET_EXCEPTIONS
#error "this program is for compilers without exceptions"
#endif

static std::size_t allocations = 0;

void *operator new(std::size_t size) {
    allocations++;
    return std::malloc(size);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

/// Returns the number of times that `call` allocates memory.
template <class Call> static std::size_t allocated(Call call) {
    const std::size_t before = allocations;
    call();
    return allocations - before;
}

template <class T> static bool fails(const Expected<T> &result, dragnet_status status, const char *message) {
    return !result && result.status() == status && result.error().message().find(message) != std::string::npos;
}

static void print_all(const Table &table) {
    print(*table.info());
    std::printf("%s\n", table.source()->c_str());
    print(*table.board());
    const auto positions = all_positions(table);
    std::vector<Value> values(positions.size());
    CHECK(table.values(positions.data(), positions.size(), values.data()));
    MoveBuffer<> moves;
    std::size_t most = 0;
    for (std::size_t i = 0; i < positions.size(); i++) {
        const Position &at = positions[i];
        Value value;
        CHECK(allocated([&] { value = *table.value(at); }) == 0);
        CHECK(value.winner == values[i].winner && value.dtw == values[i].dtw);
        print(at, value, *table.winner(at));
        CHECK(allocated([&] { CHECK(table.moves(at, moves)); }) == 0);
        CHECK(moves.total() == moves.size());
        print(moves);
        Expected<std::optional<Move>> best = std::optional<Move>();
        CHECK(allocated([&] { best = table.best_move(at); }) == 0);
        CHECK(best && best->has_value() == !moves.empty());
        CHECK(moves.empty() || std::memcmp(&**best, &moves.front(), sizeof(Move)) == 0);
        if (!moves.empty()) check_best(table, at, value, moves.front());
        CHECK(allocated([&] { CHECK(table.moves(at)->size() == moves.size()); }) == (moves.empty() ? 0 : 1));
        for (std::uint32_t plies = 0; plies < 12; plies += 5) {
            const bool caught = value.winner == Side::police && value.dtw <= plies;
            CHECK(*table.is_caught_within(at, plies) == caught);
        }
        if (moves.size() > most) most = moves.size();
        const auto line = table.line(at);
        print(line->moves);
        std::printf(" %d\n", number(line->winner));
    }
    CHECK(most > 1);
}

static void few_moves_fit(const Table &table) {
    const auto positions = all_positions(table);
    std::size_t tried = 0;
    for (const Position &at : positions) {
        const auto all = *table.moves(at);
        if (all.size() < 3) continue;
        MoveBuffer<2> two;
        CHECK(*table.moves(at, two) == all.size() && two.size() == 2 && two.total() == all.size());
        CHECK(std::memcmp(two.begin(), all.data(), 2 * sizeof(Move)) == 0);
        Move one[2] = {};
        one[1].value.dtw = 4711;
        CHECK(*table.moves(at, one, 1) == all.size());
        CHECK(std::memcmp(one, all.data(), sizeof(Move)) == 0 && one[1].value.dtw == 4711);
        tried++;
    }
    CHECK(tried > 0);
}

static void failures(const char *path, const char *folder) {
    CHECK(fails(Open::path("no such file").pursuit(), DRAGNET_ERROR_FILE, "no such file"));
    CHECK(fails(strength("evil"), DRAGNET_ERROR_ARGUMENT, "evil"));
    const Table table = *Open::whole(path).pursuit();
    CHECK(table.check_sums() && table.check_sums().status() == DRAGNET_OK);
    const Cell cell = table.board()->open_cells().front();
    const Pieces team(std::vector<Cell>(static_cast<std::size_t>(table.info()->officers), cell));
    const Position inside{team, cell, Side::police}, outside{team, {9999, 0}, Side::police};
    CHECK(table.value(inside) && table.value(inside).value_or(Value{}).winner == Side::police);
    const auto batch = table.values({inside, outside});
    CHECK(fails(batch, DRAGNET_ERROR_POSITION, "9999") && batch.error().index() == std::size_t{1});
    CHECK(!table.value(outside).error().index());
    CHECK(table.value(outside).value_or(Value{}).dtw == DRAGNET_NO_DTW);
    const auto worlds = static_cast<std::uint32_t>(table.info()->worlds);
    const Position elsewhere{team, cell, Side::police, worlds};
    const std::string number = std::to_string(worlds);
    const std::string refused = "expected a world below " + number + ", found " + number;
    CHECK(fails(table.value(elsewhere), DRAGNET_ERROR_POSITION, refused.c_str()));
    CHECK(fails(table.values({inside, elsewhere}), DRAGNET_ERROR_POSITION, refused.c_str()));
    MoveBuffer<> moves;
    CHECK(fails(table.moves(outside, moves), DRAGNET_ERROR_POSITION, "9999") && moves.empty());
    CHECK(fails(table.best_move(outside), DRAGNET_ERROR_POSITION, "9999"));
    CHECK(fails(table.line(outside), DRAGNET_ERROR_POSITION, "9999"));
    CHECK(fails(table.winner(outside), DRAGNET_ERROR_POSITION, "9999"));

    const Pieces seven(std::vector<Cell>(7, cell)), none(std::vector<Cell>{});
    CHECK(!seven.is_valid() && !none.is_valid() && team.is_valid() && seven.size() == 0);
    CHECK(fails(table.value({seven, cell, Side::thief}), DRAGNET_ERROR_ARGUMENT, "found 7"));
    CHECK(fails(table.value({none, cell, Side::thief}), DRAGNET_ERROR_ARGUMENT, "officers"));

    Table copy = table, moved = std::move(copy);
    CHECK(fails(copy.info(), DRAGNET_ERROR_ARGUMENT, "NULL") && moved.info());
    CHECK(fails(copy.board(), DRAGNET_ERROR_ARGUMENT, "NULL"));
    const Table empty = copy;
    CHECK(!empty.source());

    const auto tables = Tablebase::open({folder}, 1);
    CHECK(tables && tables->paths()->size() == 6 && tables->unreadable()->size() == 1);
    // A game that a program gave has no source.
    const std::string source = *table.source();
    CHECK(source.empty() || tables->table(source)->info()->digest == table.info()->digest);
    CHECK(tables->table("board = '''\n..E\n'''\n").status() == DRAGNET_ERROR_MISSING);
    CHECK(fails(tables->table("board = '''\n..@\n'''\n"), DRAGNET_ERROR_ARGUMENT, "source: board: "));
    CHECK(fails(Tablebase::open({"no such folder"}), DRAGNET_ERROR_FILE, "no such folder"));
}

static void game(const char *path, const char *other) {
    const auto table = Open::path(path).game();
    CHECK(table && table->check_sums() && !table->name()->empty());
    const std::uint64_t all = table->info()->positions;
    std::vector<std::uint64_t> positions;
    for (std::uint64_t i = 0; i < all; i++) positions.push_back(i);
    std::vector<GameValue> values(positions.size());
    CHECK(allocated([&] { CHECK(table->values(positions.data(), positions.size(), values.data())); }) == 0);
    for (const std::uint64_t i : positions) {
        const auto value = table->value(i);
        CHECK(value->result == values[i].result && value->dtw == values[i].dtw);
    }
    CHECK(table->best(positions)->has_value() && !table->best(nullptr, 0)->has_value());
    CHECK(table->values({1, all}).error().index() == std::size_t{1});
    CHECK(table->value(all).status() == DRAGNET_ERROR_POSITION);
    CHECK(Open::path(other).game().status() == DRAGNET_ERROR_KIND);
}

static void wide_paths() {
    CHECK(utf8(L"k\u00f6/\u20ac") == "k\xC3\xB6/\xE2\x82\xAC" && utf8(L"") == "");
    CHECK(utf8(L"\U0001F600") == "\xF0\x9F\x98\x80");
    const wchar_t pair[] = {0xD83D, 0xDE00, 0xDE00, 'x', 0xD83D, 0};
    CHECK(utf8(pair) == "\xF0\x9F\x98\x80\xEF\xBF\xBDx\xEF\xBF\xBD");
}

int main(int argc, char **argv) {
    CHECK(argc == 4);
    const Table table = *Open::path(argv[1]).pursuit();
    print_all(table);
    few_moves_fit(table);
    failures(argv[1], argv[2]);
    game(argv[3], argv[1]);
    wide_paths();
}
