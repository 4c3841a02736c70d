// Prints all answers of a game table through the C++ interface, as game.c does.
// Usage: game TABLE OTHER, where OTHER is a pursuit table.
#include "check.h"
#include <cinttypes>
#include <dragnet.hpp>
#include <thread>

using namespace dragnet;

template <class Call> static dragnet_status failure(Call call) {
    try {
        call().value();
    } catch (const Error &error) {
        return error.status();
    }
    return DRAGNET_OK;
}

static void print_all(const GameTable &table) {
    const GameInfo info = *table.info();
    std::printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 "\n", table.name()->c_str(),
                info.positions, info.won, info.lost, info.drawn, info.longest_win, info.longest_loss);
    std::printf("%016" PRIx64 " %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", info.key, info.digest, info.file_length,
                info.memory);
    std::vector<std::uint64_t> positions;
    for (std::uint64_t i = info.positions; i > 0; i--) positions.push_back(i - 1);
    const std::vector<GameValue> values = *table.values(positions);
    for (std::size_t i = 0; i < positions.size(); i++) {
        const GameValue value = *table.value(positions[i]);
        CHECK(value.result == values[i].result && value.dtw == values[i].dtw);
        const auto first = positions.begin() + static_cast<std::ptrdiff_t>(i);
        const auto best = *table.best(std::vector<std::uint64_t>(first, positions.end()));
        CHECK(best);
        std::printf("%" PRIu64 ": %d %" PRIu32 " %zu\n", positions[i], static_cast<int>(value.result), value.dtw, *best);
    }
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const GameTable table = Open::path(argv[1]).game().value();
    table.check_sums().value();
    print_all(table);
    GameTable copy = table, moved = std::move(copy);
    copy = Open::whole(argv[1]).game().value();
    CHECK(Open::mapped(argv[1]).game()->info()->digest == copy.info()->digest);
    std::thread other([moved] { CHECK(moved.value(0)->result == Result::lost); });
    other.join();
    std::size_t length = 0;
    std::uint8_t *bytes = read_file(argv[1], &length);
    CHECK(Open::bytes(bytes, length).game()->info()->digest == table.info()->digest);
    CHECK(Open::kept(bytes, length).game()->info()->digest == table.info()->digest);
    std::free(bytes);
    CHECK(!*table.best({}) && table.values({})->empty());
    CHECK(failure([&] { return table.value(9999); }) == DRAGNET_ERROR_POSITION);
    CHECK(failure([&] { return Open::path(argv[2]).game(); }) == DRAGNET_ERROR_KIND);
    CHECK(failure([&] { return Open::path(argv[1]).pursuit(); }) == DRAGNET_ERROR_KIND);
    CHECK(std::holds_alternative<GameTable>(Open::path(argv[1]).any().value()));
    CHECK(std::get<Table>(Open::path(argv[2]).any().value()).info());
    CHECK(failure([&] { return Open::path("no/such/file").any(); }) == DRAGNET_ERROR_FILE);
    try {
        table.values({1, 9999}).value();
        CHECK(false);
    } catch (const Error &error) {
        CHECK(error.index() == std::size_t{1} && error.status() == DRAGNET_ERROR_POSITION);
    }
}
