// Dragnet for C++17: wraps dragnet.h in handles that close themselves, vectors, optionals and exceptions.
// Header only.
//
//     #include <dragnet.hpp>
//     #include <iostream>
//
//     int main() {
//         const auto table = dragnet::Table::open("yard.dtb");
//         const dragnet::Position position{{7, 1}, {5, 10}, dragnet::Side::police};
//         const dragnet::Value value = table.value(position);
//         if (value.winner == dragnet::Side::thief) {
//             std::cout << "the thief wins in " << value.dtw << " plies\n";
//         }
//         for (const auto &move : table.moves(position)) {
//             std::cout << move.to[0].row << ',' << move.to[0].col << '\n';
//         }
//     }
//
// A function that fails throws dragnet::Error. Table, GameTable and Tablebase are reference-counted handles:
// copying is cheap, copies share the table, and the last one closes it. Threads may share one const object or
// use copies. A handle that was moved from is empty, and its functions throw. See dragnet.h for the details
// of each function.
#ifndef DRAGNET_HPP
#define DRAGNET_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dragnet.h"

namespace dragnet {

/// The exception of a call that failed; what() is the library's message.
class Error : public std::runtime_error {
public:
    Error(dragnet_status status, const std::string &message) : std::runtime_error(message), status_(status) {}

    /// Returns the status of the call, a DRAGNET_ERROR_....
    dragnet_status status() const noexcept { return status_; }

private:
    dragnet_status status_;
};

/// The exception of a batch in which one position has no answer.
class PositionError : public Error {
public:
    PositionError(dragnet_status status, const std::string &message, std::size_t index)
        : Error(status, message), index_(index) {}

    /// Returns the index of the position in the batch, from 0.
    std::size_t index() const noexcept { return index_; }

private:
    std::size_t index_;
};

/// One of the two sides.
enum class Side : std::int32_t { police = DRAGNET_POLICE, thief = DRAGNET_THIEF };

/// The kind of a square.
enum class Square : std::uint8_t {
    wall = DRAGNET_SQUARE_WALL,
    open = DRAGNET_SQUARE_OPEN,
    exit = DRAGNET_SQUARE_EXIT
};

/// The result of a position in a game table, for the player to move.
enum class Result : std::int32_t { drawn = DRAGNET_DRAWN, won = DRAGNET_WON, lost = DRAGNET_LOST };

using Cell = dragnet_cell;
using Edge = dragnet_edge;
using GameInfo = dragnet_game_info;
using Info = dragnet_info;
using Rules = dragnet_rules;

/// The cells of one side's pieces, 1 to DRAGNET_MAX_OFFICERS of them. A single cell converts to it. The order
/// of the cells does not matter; the library returns them in reading order.
class Pieces {
public:
    Pieces() = default;
    Pieces(std::uint16_t row, std::uint16_t col) : Pieces(Cell{row, col}) {}
    Pieces(Cell cell) : size_(1) { cells_[0] = cell; }
    /// Throws Error unless there are 1 to DRAGNET_MAX_OFFICERS cells.
    Pieces(std::initializer_list<Cell> cells) { take(cells.begin(), cells.size()); }
    /// Throws Error unless there are 1 to DRAGNET_MAX_OFFICERS cells.
    Pieces(const std::vector<Cell> &cells) { take(cells.data(), cells.size()); }

    std::size_t size() const noexcept { return size_; }
    const Cell &operator[](std::size_t piece) const noexcept { return cells_[piece]; }
    const Cell *begin() const noexcept { return cells_; }
    const Cell *end() const noexcept { return cells_ + size_; }

private:
    void take(const Cell *cells, std::size_t size) {
        if (size == 0 || size > DRAGNET_MAX_OFFICERS) {
            const std::string most = std::to_string(DRAGNET_MAX_OFFICERS);
            throw Error(DRAGNET_ERROR_ARGUMENT, "expected 1 to " + most + " cells, found " + std::to_string(size));
        }
        std::copy(cells, cells + size, cells_);
        size_ = size;
    }

    Cell cells_[DRAGNET_MAX_OFFICERS]{};
    std::size_t size_ = 1;
};

/// A position: the cells of all pieces, and the side to move.
struct Position {
    Pieces police;
    Cell thief{};
    /// The side to move.
    Side turn = Side::police;
};

/// The value of a position.
struct Value {
    /// The side that wins, std::nullopt for a draw.
    std::optional<Side> winner;
    /// The distance to win in plies, DRAGNET_NO_DTW for a draw.
    std::uint32_t dtw = DRAGNET_NO_DTW;
};

/// A move, and the value of the position after it.
struct Move {
    /// The side that moves.
    Side side;
    /// The cells of the side's pieces after the move.
    Pieces to;
    Value value;
};

/// Optimal play from a position to the end.
struct Line {
    std::vector<Move> moves;
    /// The side that wins, std::nullopt if a position occurs again.
    std::optional<Side> winner;
};

/// The value of a position in a game table, for the player to move.
struct GameValue {
    Result result = Result::drawn;
    /// The distance to the end in plies, DRAGNET_NO_DTW if the position is drawn.
    std::uint32_t dtw = DRAGNET_NO_DTW;
};

/// A board of squares, or a graph whose vertices are a single row of squares.
struct Board {
    std::uint32_t height = 0;
    std::uint32_t width = 0;
    /// The squares in reading order.
    std::vector<Square> squares;
    /// The edges of a graph, std::nullopt for a board of squares.
    std::optional<std::vector<Edge>> edges{};

    /// Returns the cells that are not walls, in reading order.
    std::vector<Cell> open_cells() const {
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < squares.size(); i++) {
            if (squares[i] != Square::wall) {
                cells.push_back({static_cast<std::uint16_t>(i / width), static_cast<std::uint16_t>(i % width)});
            }
        }
        return cells;
    }
};

/// Options for opening a table; constructed with the defaults.
struct Options : dragnet_options {
    inline Options();
};

/// Options for opening a tablebase; constructed with the defaults.
struct TablebaseOptions : dragnet_tablebase_options {
    inline TablebaseOptions();
};

namespace detail {

inline void check(dragnet_status status) {
    if (status != DRAGNET_OK) throw Error(status, dragnet_last_error());
}

inline std::optional<Side> side(dragnet_side number) {
    if (number == DRAGNET_NOBODY) return std::nullopt;
    return static_cast<Side>(number);
}

inline Value value(const dragnet_value &value) { return {side(value.outcome), value.dtw}; }

inline GameValue value(const dragnet_game_value &value) { return {static_cast<Result>(value.result), value.dtw}; }

inline dragnet_position position(const Position &position) {
    dragnet_position at{};
    std::copy(position.police.begin(), position.police.end(), at.police);
    at.thief = position.thief;
    at.turn = static_cast<dragnet_side>(position.turn);
    at.officers = static_cast<std::int32_t>(position.police.size());
    return at;
}

/// Returns the list that `copy(buffer, capacity, &count)` writes. Calls it a second time if `guess` elements
/// were too few.
template <class T, class Copy> std::vector<T> list(std::size_t guess, Copy copy) {
    std::vector<T> elements(guess);
    std::size_t count = 0;
    check(copy(elements.data(), elements.size(), &count));
    const bool all = count <= elements.size();
    elements.resize(count);
    if (!all) check(copy(elements.data(), elements.size(), &count));
    return elements;
}

/// Returns the text that `copy(buffer, capacity, &length)` writes.
template <class Copy> std::string text(Copy copy) {
    std::size_t length = 0;
    check(copy(static_cast<char *>(nullptr), std::size_t{0}, &length));
    std::vector<char> buffer(length + 1);
    check(copy(buffer.data(), buffer.size(), &length));
    return std::string(buffer.data(), length);
}

inline std::vector<Move> moves(const std::vector<dragnet_move> &found) {
    std::vector<Move> moves;
    moves.reserve(found.size());
    for (const dragnet_move &move : found) {
        const std::vector<Cell> to(move.to, move.to + move.count);
        moves.push_back({static_cast<Side>(move.side), to, value(move.value)});
    }
    return moves;
}

/// A reference-counted handle of the library.
template <class T, dragnet_status (*clone)(const T *, T **), dragnet_status (*close)(T *)> class Handle {
public:
    explicit Handle(T *handle) noexcept : handle_(handle) {}
    Handle(const Handle &other) : handle_(nullptr) {
        if (other.handle_ != nullptr) check(clone(other.handle_, &handle_));
    }
    Handle(Handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Handle &operator=(Handle other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Handle() { close(handle_); }

    T *get() const noexcept { return handle_; }

private:
    T *handle_;
};

} // namespace detail

inline Options::Options() : dragnet_options{} { detail::check(dragnet_options_init(this)); }

inline TablebaseOptions::TablebaseOptions() : dragnet_tablebase_options{} {
    detail::check(dragnet_tablebase_options_init(this));
}

/// Returns the rules of a preset: "classic", "chase" or "cops".
inline Rules preset(const std::string &name) {
    Rules rules;
    detail::check(dragnet_rules_preset(name.c_str(), &rules));
    return rules;
}

/// An open pursuit table.
class Table {
public:
    /// Opens a file. It may be changed while it is open; functions then throw, and never answer wrongly.
    static Table open(const std::string &path, const Options &options = {}) {
        return make([&](dragnet_table **table) { return dragnet_table_open(path.c_str(), &options, table); });
    }

    /// Opens a file as a memory map. Contract: nobody writes to the file or truncates it until the last copy
    /// of this object is destroyed; otherwise answers may be wrong, and the system may kill the process.
    /// Replacing the file by renaming another file over it is allowed.
    static Table open_mapped(const std::string &path, const Options &options = {}) {
        return make([&](dragnet_table **table) { return dragnet_table_open_mapped(path.c_str(), &options, table); });
    }

    /// Reads a whole file into memory and opens it.
    static Table read(const std::string &path, const Options &options = {}) {
        return make([&](dragnet_table **table) { return dragnet_table_read(path.c_str(), &options, table); });
    }

    /// Opens a table in a copy of `length` bytes.
    static Table from_bytes(const std::uint8_t *bytes, std::size_t length, const Options &options = {}) {
        return make([&](dragnet_table **table) { return dragnet_table_from_bytes(bytes, length, &options, table); });
    }

    /// Opens a table in `length` bytes that must stay as they are until the last copy of this object is
    /// destroyed.
    static Table from_kept_bytes(const std::uint8_t *bytes, std::size_t length, const Options &options = {}) {
        return make(
            [&](dragnet_table **table) { return dragnet_table_from_kept_bytes(bytes, length, &options, table); });
    }

    /// Returns size, counts, longest wins and digest.
    Info info() const {
        Info info;
        detail::check(dragnet_table_info(get(), &info));
        return info;
    }

    /// Returns the board.
    Board board() const {
        const Info size = info();
        const auto numbers = detail::list<std::uint8_t>(
            std::size_t{size.height} * size.width, [&](std::uint8_t *buffer, std::size_t capacity, std::size_t *count) {
                return dragnet_table_squares(get(), buffer, capacity, count);
            });
        Board board{size.height, size.width, {}};
        for (const std::uint8_t number : numbers) board.squares.push_back(static_cast<Square>(number));
        if (rules().police.moves == DRAGNET_MOVES_EDGES) {
            board.edges = detail::list<Edge>(
                0, [&](Edge *buffer, std::size_t capacity, std::size_t *count) {
                    return dragnet_table_edges(get(), buffer, capacity, count);
                });
        }
        return board;
    }

    /// Returns the rules of the game.
    Rules rules() const {
        Rules rules;
        detail::check(dragnet_table_rules(get(), &rules));
        return rules;
    }

    /// Checks every checksum and the structure of every block; throws Error at the first damage.
    void verify() const { detail::check(dragnet_table_verify(get())); }

    /// Returns the value of a position.
    Value value(const Position &position) const {
        const dragnet_position at = detail::position(position);
        dragnet_value value;
        detail::check(dragnet_table_value(get(), &at, &value));
        return detail::value(value);
    }

    /// Returns the values of many positions in the same order. Throws PositionError if one of them has no
    /// answer.
    std::vector<Value> values(const Position *positions, std::size_t count) const {
        std::vector<dragnet_position> asked;
        asked.reserve(count);
        for (std::size_t i = 0; i < count; i++) asked.push_back(detail::position(positions[i]));
        std::vector<dragnet_value> found(count);
        std::size_t failed = count;
        const auto status = dragnet_table_values(get(), asked.data(), count, found.data(), &failed);
        if (status != DRAGNET_OK && failed < count) throw PositionError(status, dragnet_last_error(), failed);
        detail::check(status);
        std::vector<Value> values;
        values.reserve(count);
        for (const dragnet_value &value : found) values.push_back(detail::value(value));
        return values;
    }

    /// Returns the values of many positions in the same order. Throws PositionError if one of them has no
    /// answer.
    std::vector<Value> values(const std::vector<Position> &positions) const {
        return values(positions.data(), positions.size());
    }

    /// Returns every legal move, best first.
    std::vector<Move> moves(const Position &position) const {
        const dragnet_position at = detail::position(position);
        return detail::moves(detail::list<dragnet_move>(
            DRAGNET_MAX_OFFSETS + 1, [&](dragnet_move *buffer, std::size_t capacity, std::size_t *count) {
                return dragnet_table_moves(get(), &at, buffer, capacity, count);
            }));
    }

    /// Returns optimal play to the end.
    Line line(const Position &position) const {
        const dragnet_position at = detail::position(position);
        const Value start = value(position);
        dragnet_side winner = DRAGNET_NOBODY;
        // A won position has as many moves as its distance, which a forged table may exaggerate. A draw needs
        // a guess.
        const auto found = detail::list<dragnet_move>(
            start.winner ? std::min<std::size_t>(start.dtw, 1 << 16) : 64,
            [&](dragnet_move *buffer, std::size_t capacity, std::size_t *count) {
                return dragnet_table_line(get(), &at, buffer, capacity, count, &winner);
            });
        return {detail::moves(found), detail::side(winner)};
    }

    /// Returns the side that has won a terminal position, std::nullopt if the position is not terminal.
    std::optional<Side> winner(const Position &position) const {
        const dragnet_position at = detail::position(position);
        dragnet_side winner;
        detail::check(dragnet_table_winner(get(), &at, &winner));
        return detail::side(winner);
    }

    /// Returns the handle for functions of dragnet.h. It still belongs to this object.
    const dragnet_table *get() const noexcept { return handle_.get(); }

private:
    friend class Tablebase;

    explicit Table(dragnet_table *table) noexcept : handle_(table) {}

    template <class Open> static Table make(Open open) {
        dragnet_table *table = nullptr;
        detail::check(open(&table));
        return Table(table);
    }

    detail::Handle<dragnet_table, dragnet_table_clone, dragnet_table_close> handle_;
};

/// An open game table.
class GameTable {
public:
    /// Opens a file. It may be changed while it is open; functions then throw, and never answer wrongly.
    static GameTable open(const std::string &path, const Options &options = {}) {
        return make([&](dragnet_game_table **table) { return dragnet_game_table_open(path.c_str(), &options, table); });
    }

    /// Opens a file as a memory map, under the contract of Table::open_mapped: nobody changes or truncates
    /// the file.
    static GameTable open_mapped(const std::string &path, const Options &options = {}) {
        return make([&](dragnet_game_table **table) {
            return dragnet_game_table_open_mapped(path.c_str(), &options, table);
        });
    }

    /// Reads a whole file into memory and opens it.
    static GameTable read(const std::string &path, const Options &options = {}) {
        return make([&](dragnet_game_table **table) { return dragnet_game_table_read(path.c_str(), &options, table); });
    }

    /// Opens a game table in a copy of `length` bytes.
    static GameTable from_bytes(const std::uint8_t *bytes, std::size_t length, const Options &options = {}) {
        return make([&](dragnet_game_table **table) {
            return dragnet_game_table_from_bytes(bytes, length, &options, table);
        });
    }

    /// Opens a game table in `length` bytes that must stay as they are until the last copy of this object is
    /// destroyed.
    static GameTable from_kept_bytes(const std::uint8_t *bytes, std::size_t length, const Options &options = {}) {
        return make([&](dragnet_game_table **table) {
            return dragnet_game_table_from_kept_bytes(bytes, length, &options, table);
        });
    }

    /// Returns counts, longest distances, key and digest.
    GameInfo info() const {
        GameInfo info;
        detail::check(dragnet_game_table_info(get(), &info));
        return info;
    }

    /// Returns the name of the game, for people.
    std::string name() const {
        return detail::text([&](char *buffer, std::size_t capacity, std::size_t *length) {
            return dragnet_game_table_name(get(), buffer, capacity, length);
        });
    }

    /// Checks every checksum and the structure of every block; throws Error at the first damage.
    void verify() const { detail::check(dragnet_game_table_verify(get())); }

    /// Returns the value of a position.
    GameValue value(std::uint64_t position) const {
        dragnet_game_value value;
        detail::check(dragnet_game_table_value(get(), position, &value));
        return detail::value(value);
    }

    /// Returns the values of many positions in the same order. Throws PositionError if one of them has no
    /// answer.
    std::vector<GameValue> values(const std::uint64_t *positions, std::size_t count) const {
        std::vector<dragnet_game_value> found(count);
        std::size_t failed = count;
        const auto status = dragnet_game_table_values(get(), positions, count, found.data(), &failed);
        if (status != DRAGNET_OK && failed < count) throw PositionError(status, dragnet_last_error(), failed);
        detail::check(status);
        std::vector<GameValue> values;
        values.reserve(count);
        for (const dragnet_game_value &value : found) values.push_back(detail::value(value));
        return values;
    }

    /// Returns the values of many positions in the same order. Throws PositionError if one of them has no
    /// answer.
    std::vector<GameValue> values(const std::vector<std::uint64_t> &positions) const {
        return values(positions.data(), positions.size());
    }

    /// Returns the index of the successor that is best for the player who moves, std::nullopt if there are
    /// none. In each successor the opponent must be to move.
    std::optional<std::size_t> best(const std::vector<std::uint64_t> &successors) const {
        std::size_t best = 0;
        detail::check(dragnet_game_table_best(get(), successors.data(), successors.size(), &best));
        if (best == successors.size()) return std::nullopt;
        return best;
    }

    /// Returns the handle for functions of dragnet.h. It still belongs to this object.
    const dragnet_game_table *get() const noexcept { return handle_.get(); }

private:
    explicit GameTable(dragnet_game_table *table) noexcept : handle_(table) {}

    template <class Open> static GameTable make(Open open) {
        dragnet_game_table *table = nullptr;
        detail::check(open(&table));
        return GameTable(table);
    }

    detail::Handle<dragnet_game_table, dragnet_game_table_clone, dragnet_game_table_close> handle_;
};

/// An open tablebase: the pursuit tables of one or several folders.
class Tablebase {
public:
    /// Opens folders, and reads the header of each file in them whose name ends in .dtb.
    static Tablebase open(const std::vector<std::string> &folders, const TablebaseOptions &options = {}) {
        std::vector<const char *> names;
        for (const std::string &folder : folders) names.push_back(folder.c_str());
        dragnet_tablebase *tablebase = nullptr;
        detail::check(dragnet_tablebase_open(names.data(), names.size(), &options, &tablebase));
        return Tablebase(tablebase);
    }

    /// Returns the table for a board and rules. Throws Error with DRAGNET_ERROR_MISSING if there is none.
    Table table(const Board &board, const Rules &rules) const {
        const std::size_t size = std::size_t{board.height} * board.width;
        if (board.squares.size() != size) {
            throw Error(DRAGNET_ERROR_ARGUMENT, "expected height * width = " + std::to_string(size) +
                                                    " squares, found " + std::to_string(board.squares.size()));
        }
        std::vector<std::uint8_t> squares;
        squares.reserve(board.squares.size());
        for (const Square square : board.squares) squares.push_back(static_cast<std::uint8_t>(square));
        return Table::make([&](dragnet_table **table) {
            if (board.edges) {
                return dragnet_tablebase_table_of_graph(get(), board.width, squares.data(), board.edges->data(),
                                                        board.edges->size(), &rules, table);
            }
            return dragnet_tablebase_table(get(), board.height, board.width, squares.data(), &rules, table);
        });
    }

    /// Returns the paths of all tables.
    std::vector<std::string> paths() const { return texts(dragnet_tablebase_tables, dragnet_tablebase_path); }

    /// Returns the errors of the files whose name ends in .dtb and whose header is invalid.
    std::vector<std::string> unreadable() const {
        return texts(dragnet_tablebase_unreadable, dragnet_tablebase_unreadable_message);
    }

    /// Returns the handle for functions of dragnet.h. It still belongs to this object.
    const dragnet_tablebase *get() const noexcept { return handle_.get(); }

private:
    explicit Tablebase(dragnet_tablebase *tablebase) noexcept : handle_(tablebase) {}

    template <class Number, class One> std::vector<std::string> texts(Number number, One one) const {
        std::size_t count = 0;
        detail::check(number(get(), &count));
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < count; i++) {
            texts.push_back(detail::text([&](char *buffer, std::size_t capacity, std::size_t *length) {
                return one(get(), i, buffer, capacity, length);
            }));
        }
        return texts;
    }

    detail::Handle<dragnet_tablebase, dragnet_tablebase_clone, dragnet_tablebase_close> handle_;
};

} // namespace dragnet

#endif
