// Checks opponents, calibrations and reviews against the games of probe/tests/opponent/vectors.txt, with or
// without exceptions. Usage: opponent VECTORS FOLDER, where FOLDER has the tables.
#include "vectors.h"
#include <dragnet.hpp>
#include <fstream>

using namespace dragnet;

static std::size_t allocations = 0;

void *operator new(std::size_t size) {
    allocations++;
    return std::malloc(size);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

static Opponent create(const described_opponent &described) {
    Style style = Style::longest();
    if (described.style.kind == DRAGNET_STYLE_TRICKIEST) style = Style::trickiest();
    if (described.style.kind == DRAGNET_STYLE_TRICKIEST_AGAINST) style = Style::trickiest(described.style.replier);
    auto made = Opponent::create(described.strength, style, described.seed);
    CHECK(made);
    return *std::move(made);
}

static Position converted(const dragnet_position &at) {
    return {Pieces::copy(at.police, static_cast<std::size_t>(at.officers)), at.thief, static_cast<Side>(at.turn)};
}

static std::vector<Position> play(const Table &table, const char *at) {
    Opponent police = create(scan_opponent(&at));
    CHECK(skip(&at, "|"));
    Opponent thief = create(scan_opponent(&at));
    CHECK(skip(&at, "|"));
    std::vector<Position> game{converted(scan_position(&at))};
    CHECK(skip(&at, ":"));
    while (!skip(&at, "=")) {
        dragnet_cell cells[DRAGNET_MAX_OFFICERS];
        const int pieces = scan_cells(&at, cells);
        Opponent &mover = game.back().turn == Side::police ? police : thief;
        Opponent copy = mover;
        const std::size_t before = allocations;
        const auto chosen = mover.choose(table, game.back());
        CHECK(allocations == before);
        CHECK(chosen && *chosen && (*chosen)->to.size() == static_cast<std::size_t>(pieces));
        CHECK(std::memcmp((*chosen)->to.begin(), cells, (*chosen)->to.size() * sizeof *cells) == 0);
        const auto again = copy.choose(table, game.back());
        CHECK(again && std::memcmp(&**again, &**chosen, sizeof(Move)) == 0);
        CHECK(*copy.state() == *mover.state());
        game.push_back(game.back().after(**chosen));
    }
    CHECK(police.restart(5) && *police.state() == 5);
    return game;
}

static void rate(const Table &table, const std::vector<Position> &game, const char *at) {
    const auto review = Review::of(table, game, static_cast<Side>(scan_side(&at)));
    CHECK(review && skip(&at, ":"));
    CHECK(review->moves.size() == scan_number(&at) && review->sums.errors == scan_number(&at));
    CHECK(review->sums.blunders == scan_number(&at) && review->sums.drops == scan_number(&at));
    CHECK(review->sums.plies_lost == scan_number(&at) && skip(&at, "|"));
    const auto worst = review->worst(3);
    CHECK(worst && worst->size() == (review->sums.errors < 3 ? review->sums.errors : 3));
    for (const ReviewedMove &move : *worst) CHECK(move.ply == scan_number(&at));
}

static void calibrate(const Table &table, const char *at) {
    Target target;
    target.side = static_cast<Side>(scan_side(&at));
    target.share = static_cast<std::uint32_t>(scan_number(&at));
    target.games = static_cast<std::uint32_t>(scan_number(&at));
    target.seed = scan_number(&at);
    static_cast<dragnet_style &>(target.style) = scan_style(&at);
    CHECK(skip(&at, "|"));
    const Opponent against = create(scan_opponent(&at));
    std::vector<Position> starts;
    while (skip(&at, "|")) starts.push_back(converted(scan_position(&at)));
    CHECK(skip(&at, ":"));
    const auto found = Opponent::calibrate(table, starts, target, &against);
    CHECK(found && found->level == scan_number(&at) && found->wins == scan_number(&at));
    CHECK(found->lowest == scan_number(&at) && found->highest == scan_number(&at));
    CHECK(skip(&at, found->reached == 1 ? "reached" : "missed"));
    const double from = scan_share(&at), to = scan_share(&at);
    CHECK(found->from == from && found->to == to);
}

static void failures(const Table &table) {
    CHECK(strength("easy")->errors == 350 && strength(1000)->errors == 0);
    CHECK(strength("evil").status() == DRAGNET_ERROR_ARGUMENT);
    CHECK(strength(1001).status() == DRAGNET_ERROR_ARGUMENT);
    Strength wrong = *strength("hard");
    wrong.drop = 3;
    CHECK(Opponent::create(wrong, {}, 1).error().message() == "expected drop from 0 to 2, found 3");
    CHECK(Opponent::calibrate(table, {}, {}).status() == DRAGNET_ERROR_ARGUMENT);
    CHECK(Review::of(table, {}, Side::police).status() == DRAGNET_ERROR_ARGUMENT);
    std::uint64_t calls = 0;
    CHECK(table.check_sums([&](std::uint64_t done, std::uint64_t) { return done == ++calls; }) && calls > 0);
    const auto stopped = table.check_sums([](std::uint64_t done, std::uint64_t) { return done < 1; });
    CHECK(stopped.status() == DRAGNET_ERROR_STOPPED);
#if DRAGNET_EXCEPTIONS
    try {
        table.check_sums([](std::uint64_t, std::uint64_t) -> bool { throw 7; }).value();
        CHECK(false);
    } catch (int thrown) {
        CHECK(thrown == 7);
    }
#endif
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    std::ifstream vectors(argv[1]);
    std::optional<Table> table;
    std::vector<Position> game;
    std::string line;
    std::size_t games = 0, reviews = 0, calibrations = 0;
    while (std::getline(vectors, line)) {
        const char *at = line.c_str();
        if (skip(&at, "table ")) {
            table = *Open::path(std::string(argv[2]) + "/" + at).pursuit();
            failures(*table);
        } else if (skip(&at, "game ")) {
            game = play(*table, at);
            games++;
        } else if (skip(&at, "review ")) {
            rate(*table, game, at);
            reviews++;
        } else if (skip(&at, "calibrate ")) {
            calibrate(*table, at);
            calibrations++;
        }
    }
    CHECK(games > 100 && reviews == 2 * games && calibrations > 10);
}
