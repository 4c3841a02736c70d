// Asks a table on a board with doors for every position through the C++ interface, as doors.c does.
// Usage: doors TABLE OTHER, where OTHER is a game table without doors.
#include "check.h"
#include <dragnet.hpp>

using namespace dragnet;

static int number(Winner winner) { return winner ? static_cast<int>(*winner) : 0; }

static void answer(const DoorTable &table, const DoorPosition &at) {
    const Value value = *table.value(at);
    std::printf("%llu %d/%u %d", static_cast<unsigned long long>(*table.number(at)), number(value.winner), value.dtw,
                number(*table.winner(at)));
    for (std::size_t door = 0; door < table.board().doors; door++) std::printf(" %d", *table.is_open(door, at));
    const auto moves = *table.moves(at);
    DoorMove few[2];
    CHECK(*table.moves(at, few, 2) == moves.size());
    const auto best = *table.best_move(at);
    CHECK(best.has_value() == !moves.empty());
    CHECK(!best || std::memcmp(&*best, &moves[0], sizeof *best) == 0);
    for (const DoorMove &move : moves) {
        const DoorPosition &to = move.after;
        std::printf(" %d,%d;%d,%d;%d;%u;%u=%d/%u", to.police.row, to.police.col, to.thief.row, to.thief.col,
                    static_cast<int>(to.turn), to.keys, to.phase, number(move.value.winner), move.value.dtw);
    }
    std::printf("\n");
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const DoorTable table = DoorTable::open(argv[1]).value();
    const DoorBoard board = table.board();
    std::printf("%u %u %u %u %u\n", board.height, board.width, board.doors, board.keys, board.phases);
    for (const Door &door : *table.doors()) {
        std::printf("%d,%d key %d,%d open %d period %u schedule %u\n", door.cell.row, door.cell.col, door.key.row,
                    door.key.col, door.open, door.period, door.schedule);
    }
    for (const Cell key : *table.keys()) std::printf("key %d,%d\n", key.row, key.col);
    CHECK(board.stuck == DRAGNET_STUCK_LOSES && board.undecided == DRAGNET_NOBODY);
    Board squares{board.height, board.width, *table.squares()};
    for (const Square square : squares.squares) std::printf("%d", static_cast<int>(square));
    std::printf("\n");
    const auto cells = squares.open_cells();
    for (std::uint32_t keys = 0; keys >> board.keys == 0; keys++)
        for (std::uint32_t phase = 0; phase < board.phases; phase++)
            for (const Side turn : {Side::police, Side::thief})
                for (const Cell police : cells)
                    for (const Cell thief : cells) answer(table, {police, thief, turn, keys, phase});

    CHECK(table.value({{0, 0}, {0, 0}, Side::police, 0, board.phases}).error().status() == DRAGNET_ERROR_POSITION);
    CHECK(DoorTable::open(argv[2]).error().status() == DRAGNET_ERROR_KIND);
    CHECK(DoorTable::open("no/such/file").error().status() == DRAGNET_ERROR_FILE);
    const GameTable game = GameTable::open(argv[1]).value();
    CHECK(DoorTable::of(game)->table().info()->key == game.info()->key);
}
