// Prints the answers of a table in the form of ask.c.
#ifndef ANSWERS_HPP
#define ANSWERS_HPP

#include "check.h"
#include <cinttypes>
#include <dragnet.hpp>

inline void print(const dragnet::Info &info) {
    std::printf("%u %u %" PRIu64 " %" PRIu64 "\n", info.height, info.width, info.open_cells, info.positions);
    for (const dragnet_counts &counts : {info.police_to_move, info.thief_to_move}) {
        std::printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", counts.police, counts.thief, counts.draw);
    }
    std::printf("%u %u %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", info.longest_police, info.longest_thief,
                info.digest, info.file_length, info.memory);
    std::printf("%u %u %d %d %d %d %" PRIu64 "\n", info.officer_layers, info.thief_layers, info.officers, info.team,
                info.stuck, info.undecided, info.worlds);
}

inline void print(const dragnet::Board &board) {
    for (const dragnet::Square square : board.squares) std::printf("%d", static_cast<int>(square));
    std::printf("\n");
}

inline void print(const dragnet::Pieces &pieces) {
    const char *between = "";
    for (const dragnet::Cell cell : pieces) {
        std::printf("%s%d,%d", between, cell.row, cell.col);
        between = "+";
    }
}

inline int number(std::optional<dragnet::Side> side) { return side ? static_cast<int>(*side) : 0; }

template <class Moves> void print(const Moves &moves) {
    std::printf(" [");
    for (const dragnet::Move &move : moves) {
        std::printf(" %d ", number(move.side));
        print(move.to);
        std::printf(" %" PRIu32 " %d %" PRIu32, move.world, number(move.value.winner), move.value.dtw);
    }
    std::printf(" ]");
}

inline void print(const dragnet::Position &at, const dragnet::Value &value, std::optional<dragnet::Side> winner) {
    print(at.police);
    std::printf(" %d,%d %d %" PRIu32 ": %d %" PRIu32 " %d", at.thief.row, at.thief.col, number(at.turn), at.world,
                number(value.winner), value.dtw, number(winner));
}

/// Returns every position of a table, in the order of ask.c.
inline std::vector<dragnet::Position> all_positions(const dragnet::Table &table) {
    std::vector<dragnet::Position> positions;
    const dragnet::Info info = *table.info();
    const std::vector<dragnet::Cell> cells = table.board()->open_cells();
    for (std::uint32_t world = 0; world < info.worlds; world++) {
        std::size_t team[DRAGNET_MAX_OFFICERS] = {};
        do {
            std::vector<dragnet::Cell> police;
            for (int i = 0; i < info.officers; i++) police.push_back(cells[team[i]]);
            for (const dragnet::Cell thief : cells) {
                for (const auto turn : {dragnet::Side::police, dragnet::Side::thief}) {
                    positions.push_back({police, thief, turn, world});
                }
            }
        } while (next_team(team, info.officers, cells.size()));
    }
    return positions;
}

/// Checks that a position is worth what its best move is, a ply earlier.
inline void check_best(const dragnet::Table &table, const dragnet::Position &at, const dragnet::Value &value,
                       const dragnet::Move &best) {
    CHECK(best.value.winner == value.winner);
    CHECK(best.value.dtw + (value.winner ? 1 : 0) == value.dtw);
    const auto after = table.value(at.after(best));
    CHECK(after->winner == best.value.winner && after->dtw == best.value.dtw);
}

#endif
