// Dragnet for C++17: wraps dragnet.h in handles that close themselves, vectors and result values. Header
// only.
//
//     #include <dragnet.hpp>
//     #include <iostream>
//
//     int main() {
//         const auto table = dragnet::Open::path("yard.dtb").pursuit().value();
//         const dragnet::Position position{{7, 1}, {5, 10}, dragnet::Side::police};
//         const dragnet::Value value = table.value(position).value();
//         if (value.winner == dragnet::Side::thief) {
//             std::cout << "the thief wins in " << value.dtw << " plies\n";
//         }
//         for (const auto &move : table.moves(position).value()) {
//             std::cout << move.to[0].row << ',' << move.to[0].col << '\n';
//         }
//     }
//
// Every function that can fail returns a dragnet::Expected, which holds the result or a dragnet::Failure. Its
// member value() returns the result, or throws the failure as a dragnet::Error; a program that is compiled
// without exceptions (-fno-exceptions) asks the Expected whether it has one instead. The header does not need
// run-time type information (-fno-rtti).
//
// Opponent chooses moves worth playing against, and Review rates a game. An Opponent is copied with all that
// it remembers, and two copies go on independently.
//
// Open says where a table is, and opens it as a Table, a GameTable, a PartialTable or whichever it is. These
// and Tablebase are handles: copying is cheap, copies share the table, and the
// last one closes it. Threads may share one const object or use copies. A handle that was moved from is
// empty, and all its functions fail. See dragnet.h for the details of each function.
#ifndef DRAGNET_HPP
#define DRAGNET_HPP

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dragnet.h"

// 1 if functions that throw are declared, 0 if not. Define it to choose; by default the compiler's options
// decide.
#ifndef DRAGNET_EXCEPTIONS
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS) || defined(_CPPUNWIND)
#define DRAGNET_EXCEPTIONS 1
#else
#define DRAGNET_EXCEPTIONS 0
#endif
#endif

#if DRAGNET_EXCEPTIONS
#include <exception>
#include <stdexcept>
#endif

namespace dragnet {

// Parts of one program may be compiled with exceptions and others without. Their classes differ, so the
// linker must not take one for the other; a handle goes from part to part as a pointer of dragnet.h.
#if DRAGNET_EXCEPTIONS
inline namespace with_exceptions {
#else
inline namespace without_exceptions {
#endif

/// The description of a call that failed.
class Failure {
public:
    Failure(dragnet_status status, std::string message, std::optional<std::size_t> index = std::nullopt)
        : message_(std::move(message)), index_(index), status_(status) {}

    /// Returns the status of the call, a DRAGNET_ERROR_....
    dragnet_status status() const noexcept { return status_; }

    /// Returns the library's message: one line that says what was expected and what was found.
    const std::string &message() const noexcept { return message_; }

    /// Returns the index of the position to blame, from 0, if a batch failed because of one position.
    std::optional<std::size_t> index() const noexcept { return index_; }

private:
    std::string message_;
    std::optional<std::size_t> index_;
    dragnet_status status_;
};

#if DRAGNET_EXCEPTIONS
/// The exception of a call that failed; what() is the library's message.
class Error : public std::runtime_error {
public:
    explicit Error(const Failure &failure)
        : std::runtime_error(failure.message()), index_(failure.index()), status_(failure.status()) {}

    /// Returns the status of the call, a DRAGNET_ERROR_....
    dragnet_status status() const noexcept { return status_; }

    /// Returns the index of the position to blame, from 0, if a batch failed because of one position.
    std::optional<std::size_t> index() const noexcept { return index_; }

private:
    std::optional<std::size_t> index_;
    dragnet_status status_;
};
#endif

namespace detail {

/// The result of an Expected that has nothing to hold but success.
struct Nothing {};

} // namespace detail

/// The result of a call, or the description of its failure. An Expected<void> holds no result.
template <class T> class [[nodiscard]] Expected {
    using Held = std::conditional_t<std::is_void_v<T>, detail::Nothing, T>;

public:
    Expected(Held result) : held_(std::in_place_index<0>, std::move(result)) {}
    Expected(Failure failure) : held_(std::in_place_index<1>, std::move(failure)) {}

    /// Returns whether the call succeeded.
    bool has_value() const noexcept { return held_.index() == 0; }
    /// Returns whether the call succeeded. The result itself may be false or empty nevertheless.
    explicit operator bool() const noexcept { return has_value(); }

    /// Returns DRAGNET_OK, or the status of the failure.
    dragnet_status status() const noexcept { return has_value() ? DRAGNET_OK : error().status(); }

    /// Returns the failure. The call must have failed.
    const Failure &error() const noexcept {
        assert(!has_value());
        return *std::get_if<1>(&held_);
    }

    /// Returns the result. The call must have succeeded.
    const Held &operator*() const & noexcept {
        assert(has_value());
        return *std::get_if<0>(&held_);
    }
    Held &operator*() & noexcept {
        assert(has_value());
        return *std::get_if<0>(&held_);
    }
    // By value, so that a loop may go over `*table.moves(position)`.
    Held operator*() && noexcept { return std::move(**this); }
    const Held *operator->() const noexcept { return &**this; }
    Held *operator->() noexcept { return &**this; }

    /// Returns the result, or `other` if the call failed.
    template <class U> Held value_or(U &&other) const & {
        return has_value() ? **this : static_cast<Held>(std::forward<U>(other));
    }
    template <class U> Held value_or(U &&other) && {
        return has_value() ? std::move(**this) : static_cast<Held>(std::forward<U>(other));
    }

#if DRAGNET_EXCEPTIONS
    /// Returns the result, or throws the failure as an Error.
    T value() const & {
        if (!has_value()) throw Error(error());
        if constexpr (!std::is_void_v<T>) return **this;
    }
    T value() && {
        if (!has_value()) throw Error(error());
        if constexpr (!std::is_void_v<T>) return std::move(**this);
    }
#endif

private:
    std::variant<Held, Failure> held_;
};

/// One of the two sides.
enum class Side : std::int32_t { police = DRAGNET_POLICE, thief = DRAGNET_THIEF };

/// The side that wins, or none. It has the functions of a std::optional<Side>, and converts to one.
class Winner {
public:
    constexpr Winner() noexcept = default;
    constexpr Winner(std::nullopt_t) noexcept {}
    constexpr Winner(Side side) noexcept : number_(static_cast<dragnet_side>(side)) {}

    constexpr bool has_value() const noexcept { return number_ != DRAGNET_NOBODY; }
    constexpr explicit operator bool() const noexcept { return has_value(); }
    /// Returns the side. There must be one.
    constexpr Side operator*() const noexcept { return static_cast<Side>(number_); }
    constexpr Side value_or(Side other) const noexcept { return has_value() ? **this : other; }
    constexpr operator std::optional<Side>() const noexcept {
        return has_value() ? std::optional<Side>(**this) : std::nullopt;
    }
#if DRAGNET_EXCEPTIONS
    /// Returns the side, or throws std::bad_optional_access if there is none.
    constexpr Side value() const { return std::optional<Side>(*this).value(); }
#endif

    friend constexpr bool operator==(Winner a, Winner b) noexcept { return a.number_ == b.number_; }
    friend constexpr bool operator!=(Winner a, Winner b) noexcept { return a.number_ != b.number_; }
    // Without these, the templates of std::optional would find no side unequal to no side.
    template <class S> friend constexpr bool operator==(Winner a, const std::optional<S> &b) noexcept {
        return a == from(b);
    }
    template <class S> friend constexpr bool operator!=(Winner a, const std::optional<S> &b) noexcept {
        return a != from(b);
    }
    template <class S> friend constexpr bool operator==(const std::optional<S> &a, Winner b) noexcept {
        return from(a) == b;
    }
    template <class S> friend constexpr bool operator!=(const std::optional<S> &a, Winner b) noexcept {
        return from(a) != b;
    }

private:
    static constexpr Winner from(const std::optional<Side> &side) noexcept { return side ? Winner(*side) : Winner(); }

    dragnet_side number_ = DRAGNET_NOBODY;
};

/// The kind of a square.
enum class Square : std::uint8_t {
    wall = DRAGNET_SQUARE_WALL,
    open = DRAGNET_SQUARE_OPEN,
    exit = DRAGNET_SQUARE_EXIT
};

/// The part of a pursuit table that a partial table keeps.
enum class Keep : std::int32_t {
    /// The side that wins each position.
    outcomes = DRAGNET_KEEPS_OUTCOMES,
    /// A best move, with the police to move.
    moves_of_police = DRAGNET_KEEPS_MOVES_OF_POLICE,
    /// A best move, with the thief to move.
    moves_of_thief = DRAGNET_KEEPS_MOVES_OF_THIEF
};

/// The result of a position in a game table, for the player to move.
enum class Result : std::int32_t { drawn = DRAGNET_DRAWN, won = DRAGNET_WON, lost = DRAGNET_LOST };

using Cell = dragnet_cell;
using GameInfo = dragnet_game_info;
using Info = dragnet_info;
using Strength = dragnet_strength;
using Calibration = dragnet_calibration;

/// The cells of one side's pieces, 1 to DRAGNET_MAX_OFFICERS of them. A single cell converts to it. The order
/// of the cells does not matter; the library returns them in reading order. No memory is allocated.
///
/// Another number of cells throws an Error with DRAGNET_ERROR_ARGUMENT. Without exceptions the object holds
/// no cells then, is_valid() is false, and every function that is asked about it fails with that status.
class Pieces {
public:
    constexpr Pieces() noexcept = default;
    constexpr Pieces(std::uint16_t row, std::uint16_t col) noexcept : Pieces(Cell{row, col}) {}
    constexpr Pieces(Cell cell) noexcept : cells_{cell} {}
    Pieces(std::initializer_list<Cell> cells) { take(cells.begin(), cells.size()); }
    Pieces(const std::vector<Cell> &cells) { take(cells.data(), cells.size()); }
    /// Returns the `size` cells at `cells`.
    static Pieces copy(const Cell *cells, std::size_t size) {
        Pieces pieces;
        pieces.take(cells, size);
        return pieces;
    }

    /// Returns whether the number of cells is allowed.
    constexpr bool is_valid() const noexcept { return count_ > 0; }
    constexpr std::size_t size() const noexcept { return is_valid() ? static_cast<std::size_t>(count_) : 0; }
    constexpr const Cell &operator[](std::size_t piece) const noexcept { return cells_[piece]; }
    constexpr const Cell *begin() const noexcept { return cells_; }
    constexpr const Cell *end() const noexcept { return cells_ + size(); }

private:
    friend struct Layout;
    friend dragnet_position raw(const Pieces &police, Cell thief, Side turn, std::uint32_t world) noexcept {
        dragnet_position at;
        static_assert(sizeof(at.police) == sizeof(police.cells_));
        std::memcpy(at.police, police.cells_, sizeof(at.police));
        at.thief = thief;
        at.turn = static_cast<dragnet_side>(turn);
        // The library refuses an invalid number, but takes 0 for 1.
        at.officers = police.count_ > 0 ? police.count_ : police.count_ < 0 ? -police.count_ : -1;
        at.world = world;
        return at;
    }

    void take(const Cell *cells, std::size_t size) {
        const bool valid = size > 0 && size <= DRAGNET_MAX_OFFICERS;
#if DRAGNET_EXCEPTIONS
        if (!valid) {
            const std::string most = std::to_string(DRAGNET_MAX_OFFICERS);
            throw Error({DRAGNET_ERROR_ARGUMENT, "expected 1 to " + most + " cells, found " + std::to_string(size)});
        }
#endif
        const auto number = static_cast<std::int32_t>(size > INT32_MAX ? INT32_MAX : size);
        count_ = valid ? number : -number;
        for (std::int32_t i = 0; i < count_; i++) cells_[i] = cells[i];
    }

    // An invalid number is kept with a minus, for the message of the call that fails.
    std::int32_t count_ = 1;
    Cell cells_[DRAGNET_MAX_OFFICERS]{};
};

/// The value of a position.
struct Value {
    /// The side that wins, none for a draw.
    Winner winner;
    /// The distance to win in plies, DRAGNET_NO_DTW for a draw.
    std::uint32_t dtw = DRAGNET_NO_DTW;
};

/// A move, and the value of the position after it.
struct Move {
    /// The side that moves.
    Side side;
    /// The cells of the side's pieces after the move.
    Pieces to;
    /// The world of the position after the move.
    std::uint32_t world;
    Value value;
};

/// A position: the cells of all pieces, the side to move, and the world.
struct Position {
    Pieces police;
    Cell thief{};
    /// The side to move.
    Side turn = Side::police;
    /// The number of the world, 0 if there is only one.
    std::uint32_t world = 0;

    /// Returns the position after a move of the side to move.
    Position after(const Move &move) const noexcept {
        if (move.side == Side::police) return {move.to, thief, Side::thief, move.world};
        return {police, move.to[0], Side::police, move.world};
    }
};

/// Optimal play from a position to the end.
struct Line {
    std::vector<Move> moves;
    /// The side that wins, none if a position occurs again.
    Winner winner;
};

/// The value of a position in a game table, for the player to move.
struct GameValue {
    Result result = Result::drawn;
    /// The distance to the end in plies, DRAGNET_NO_DTW if the position is drawn.
    std::uint32_t dtw = DRAGNET_NO_DTW;
};

/// Room for the moves of a position, without a heap. Creating it costs nothing, however large it is. A piece
/// that steps to a neighbour or stays has at most 9 moves.
template <std::size_t N = 256> class MoveBuffer {
public:
    // The members are left as they are, since the library writes those that are read.
    MoveBuffer() noexcept {} // NOLINT(modernize-use-equals-default)

    /// Returns the number of moves in the buffer.
    std::size_t size() const noexcept { return total_ < N ? total_ : N; }
    /// Returns the number of legal moves, of which the best N are in the buffer.
    std::size_t total() const noexcept { return total_; }
    bool empty() const noexcept { return total_ == 0; }
    const Move *begin() const noexcept { return moves_; }
    const Move *end() const noexcept { return moves_ + size(); }
    const Move &operator[](std::size_t index) const noexcept { return moves_[index]; }
    /// Returns the best move. There must be one.
    const Move &front() const noexcept { return moves_[0]; }

private:
    friend class Table;

    union {
        Move moves_[N];
    };
    std::size_t total_ = 0;
};

/// A board of squares, or a graph whose vertices are a single row of squares.
struct Board {
    std::uint32_t height = 0;
    std::uint32_t width = 0;
    /// The squares in reading order.
    std::vector<Square> squares;

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

/// A move of a game with its cost. At most one of `drop` and `plies` is not 0.
struct ReviewedMove {
    /// The index of the position before the move, from 0.
    std::uint64_t ply;
    /// The move that was made.
    Move played;
    /// The first of the best moves.
    Move best;
    /// The steps of the outcome, from win to draw to loss, that the move lost.
    std::uint32_t drop;
    /// The plies by which the move made a win longer or a loss shorter.
    std::uint32_t plies;
};

/// The conduct of an opponent in positions that it cannot win; the longest defence by default.
struct Style : dragnet_style {
    Style() noexcept : dragnet_style{} {}

    /// Returns the style that defends itself longest, which is the default.
    static Style longest() noexcept { return {}; }

    /// Returns the style that sets traps: the moves with the greatest share of replies that throw the win
    /// away.
    static Style trickiest() noexcept {
        Style style;
        style.kind = DRAGNET_STYLE_TRICKIEST;
        return style;
    }

    /// Returns the style that sets traps for an enemy of a given strength.
    static Style trickiest(const Strength &replier) noexcept {
        Style style;
        style.kind = DRAGNET_STYLE_TRICKIEST_AGAINST;
        style.replier = replier;
        return style;
    }
};

/// The proof that the library may write its structures into objects of this header. It has no other use.
struct Layout {
    static_assert(sizeof(Pieces) == sizeof(std::int32_t) + sizeof(dragnet_move::to));
    static_assert(offsetof(Pieces, cells_) == offsetof(dragnet_move, to) - offsetof(dragnet_move, count));
    static_assert(sizeof(Value) == sizeof(dragnet_value) && offsetof(Value, dtw) == offsetof(dragnet_value, dtw));
    static_assert(sizeof(Move) == sizeof(dragnet_move) && offsetof(Move, to) == offsetof(dragnet_move, count));
    static_assert(offsetof(Move, world) == offsetof(dragnet_move, world));
    static_assert(offsetof(Move, value) == offsetof(dragnet_move, value));
    static_assert(sizeof(GameValue) == sizeof(dragnet_game_value));
    static_assert(offsetof(GameValue, dtw) == offsetof(dragnet_game_value, dtw));
    static_assert(sizeof(Square) == sizeof(std::uint8_t));
    static_assert(sizeof(ReviewedMove) == sizeof(dragnet_reviewed_move));
    static_assert(offsetof(ReviewedMove, played) == offsetof(dragnet_reviewed_move, played));
    static_assert(offsetof(ReviewedMove, best) == offsetof(dragnet_reviewed_move, best));
    static_assert(offsetof(ReviewedMove, plies) == offsetof(dragnet_reviewed_move, plies));
    static_assert(std::is_trivially_copyable_v<Move> && std::is_trivially_copyable_v<GameValue>);
};

namespace detail {

inline Failure failure(dragnet_status status) { return {status, dragnet_last_error()}; }

/// Returns the failure of a batch of `count` positions, of which number `failed` is to blame.
inline Failure failure(dragnet_status status, std::size_t failed, std::size_t count) {
    if (failed < count) return {status, dragnet_last_error(), failed};
    return failure(status);
}

/// Returns success, or the failure of the last call.
inline Expected<void> outcome(dragnet_status status) {
    if (status != DRAGNET_OK) return failure(status);
    return Nothing{};
}

/// Returns the T that `write(&result)` writes.
template <class T, class Write> Expected<T> result(Write write) {
    T result;
    const dragnet_status status = write(&result);
    if (status != DRAGNET_OK) return failure(status);
    return result;
}

inline dragnet_move *raw(Move *moves) noexcept { return reinterpret_cast<dragnet_move *>(moves); }
inline dragnet_side *raw(Winner *winner) noexcept { return reinterpret_cast<dragnet_side *>(winner); }
inline dragnet_value *raw(Value *values) noexcept { return reinterpret_cast<dragnet_value *>(values); }
inline dragnet_game_value *raw(GameValue *values) noexcept { return reinterpret_cast<dragnet_game_value *>(values); }
inline std::uint8_t *raw(Square *squares) noexcept { return reinterpret_cast<std::uint8_t *>(squares); }
inline dragnet_reviewed_move *raw(ReviewedMove *moves) noexcept {
    return reinterpret_cast<dragnet_reviewed_move *>(moves);
}

inline dragnet_position position(const Position &position) noexcept {
    return raw(position.police, position.thief, position.turn, position.world);
}

inline Position position(const dragnet_position &at) noexcept {
    return {Pieces::copy(at.police, static_cast<std::size_t>(at.officers)), at.thief, static_cast<Side>(at.turn),
            at.world};
}

inline std::vector<dragnet_position> positions(const std::vector<Position> &positions) {
    std::vector<dragnet_position> converted;
    converted.reserve(positions.size());
    for (const Position &at : positions) converted.push_back(position(at));
    return converted;
}

/// Checks a table with `check`, as long as `report(done, blocks)` returns true.
template <class Report, class Check> Expected<void> check_while(Report &report, Check check) {
    struct Follower {
        Report &report;
#if DRAGNET_EXCEPTIONS
        // An exception must not pass through the library.
        std::exception_ptr thrown{};
#endif
        static std::int32_t call(void *context, std::uint64_t done, std::uint64_t blocks) {
            auto &follower = *static_cast<Follower *>(context);
#if DRAGNET_EXCEPTIONS
            try {
                return follower.report(done, blocks) ? 0 : 1;
            } catch (...) {
                follower.thrown = std::current_exception();
                return 1;
            }
#else
            return follower.report(done, blocks) ? 0 : 1;
#endif
        }
    };
    Follower follower{report};
    const dragnet_progress progress{&follower, Follower::call};
    const dragnet_status status = check(&progress);
#if DRAGNET_EXCEPTIONS
    if (follower.thrown) std::rethrow_exception(follower.thrown);
#endif
    return outcome(status);
}

/// Returns the list that `copy(buffer, capacity, &count)` writes. Calls it a second time if `guess` elements
/// were too few.
template <class T, class Copy> Expected<std::vector<T>> list(std::size_t guess, Copy copy) {
    std::vector<T> elements(guess);
    std::size_t count = 0;
    dragnet_status status = copy(raw(elements.data()), elements.size(), &count);
    if (status != DRAGNET_OK) return failure(status);
    const bool all = count <= elements.size();
    elements.resize(count);
    if (!all) status = copy(raw(elements.data()), elements.size(), &count);
    if (status != DRAGNET_OK) return failure(status);
    return elements;
}

/// Returns the text that `copy(buffer, capacity, &length)` writes.
template <class Copy> Expected<std::string> text(Copy copy) {
    std::size_t length = 0;
    dragnet_status status = copy(static_cast<char *>(nullptr), std::size_t{0}, &length);
    if (status != DRAGNET_OK) return failure(status);
    // The library writes a final NUL, which a string has room for.
    std::string text(length, '\0');
    status = copy(text.data(), length + 1, &length);
    if (status != DRAGNET_OK) return failure(status);
    return text;
}

/// A handle of the library that all copies share, and the last one closes.
template <class T, dragnet_status (*close)(T *)> class Handle {
public:
    explicit Handle(T *handle) : handle_(handle, [](T *last) { close(last); }) {}

    T *get() const noexcept { return handle_.get(); }

private:
    std::shared_ptr<T> handle_;
};

} // namespace detail

/// Returns a path or another text of wide characters in UTF-8, which the library expects on Windows. A
/// surrogate without its partner becomes U+FFFD, as does a number that is no character.
inline std::string utf8(std::wstring_view wide) {
    std::string text;
    text.reserve(wide.size());
    for (std::size_t i = 0; i < wide.size(); i++) {
        auto point = static_cast<std::uint32_t>(wide[i]);
        if (sizeof(wchar_t) == 2) point &= 0xFFFF;
        if (point >= 0xD800 && point < 0xE000) {
            const auto low = i + 1 < wide.size() ? static_cast<std::uint32_t>(wide[i + 1]) & 0xFFFF : 0;
            const bool pair = point < 0xDC00 && low >= 0xDC00 && low < 0xE000;
            point = pair ? 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
            if (pair) i++;
        }
        if (point > 0x10FFFF) point = 0xFFFD;
        const auto rest = [&](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
        if (point < 0x80) {
            text += static_cast<char>(point);
        } else if (point < 0x800) {
            text += {static_cast<char>(0xC0 | (point >> 6)), rest(0)};
        } else if (point < 0x10000) {
            text += {static_cast<char>(0xE0 | (point >> 12)), rest(6), rest(0)};
        } else {
            text += {static_cast<char>(0xF0 | (point >> 18)), rest(12), rest(6), rest(0)};
        }
    }
    return text;
}

namespace detail {

/// An open table of any kind.
class OpenTable {
public:
    /// Checks every checksum and the structure of every block; fails at the first damage.
    Expected<void> check_sums() const { return outcome(dragnet_table_check_sums(get(), nullptr)); }

    /// Checks every checksum, as long as `report(done, blocks)` returns true, which is called after each
    /// block. Fails with DRAGNET_ERROR_STOPPED if it does not.
    template <class Report> Expected<void> check_sums(Report report) const {
        return check_while(
            report, [&](const dragnet_progress *progress) { return dragnet_table_check_sums(get(), progress); });
    }

    /// Returns the handle for functions of dragnet.h. It still belongs to this object.
    const dragnet_table *get() const noexcept { return handle_.get(); }

protected:
    explicit OpenTable(dragnet_table *table) : handle_(table) {}

private:
    Handle<dragnet_table, dragnet_table_close> handle_;
};

/// An open table of a game of police against thief.
class BoardTable : public OpenTable {
public:
    /// Returns sizes, how a turn goes, counts, longest wins and digest.
    Expected<Info> info() const {
        return result<Info>([&](Info *info) { return dragnet_table_info(get(), info); });
    }

    /// Returns the board.
    Expected<Board> board() const {
        const auto size = info();
        if (!size) return size.error();
        const std::size_t all = std::size_t{size->height} * size->width;
        auto squares = list<Square>(all, [&](std::uint8_t *out, std::size_t capacity, std::size_t *count) {
            return dragnet_table_squares(get(), out, capacity, count);
        });
        if (!squares) return squares.error();
        return Board{size->height, size->width, std::move(*squares)};
    }

    /// Returns the text from which the game was made: for a game on a board or a graph a TOML document with
    /// the board and the rules.
    Expected<std::string> source() const {
        return text([&](char *buffer, std::size_t capacity, std::size_t *length) {
            return dragnet_table_source(get(), buffer, capacity, length);
        });
    }

protected:
    using OpenTable::OpenTable;
};

} // namespace detail

/// An open pursuit table.
class Table : public detail::BoardTable {
public:
    /// Returns the value of a position.
    Expected<Value> value(const Position &position) const {
        const dragnet_position at = detail::position(position);
        return detail::result<Value>(
            [&](Value *value) { return dragnet_table_value(get(), &at, detail::raw(value)); });
    }

    /// Writes the values of `count` positions to `values`, in the same order. The failure has the index of
    /// the position to blame, if there is one.
    Expected<void> values(const Position *positions, std::size_t count, Value *values) const {
        std::vector<dragnet_position> asked;
        asked.reserve(count);
        for (std::size_t i = 0; i < count; i++) asked.push_back(detail::position(positions[i]));
        return this->values(asked.data(), count, values);
    }

    /// Writes the values of `count` positions to `values`, in the same order. The failure has the index of
    /// the position to blame, if there is one. The positions are those of dragnet.h, so that no copy is
    /// needed.
    Expected<void> values(const dragnet_position *positions, std::size_t count, Value *values) const {
        std::size_t failed = count;
        const auto status = dragnet_table_values(get(), positions, count, detail::raw(values), &failed);
        if (status != DRAGNET_OK) return detail::failure(status, failed, count);
        return detail::Nothing{};
    }

    /// Returns the values of many positions in the same order. The failure has the index of the position to
    /// blame, if there is one.
    Expected<std::vector<Value>> values(const std::vector<Position> &positions) const {
        std::vector<Value> values(positions.size());
        const auto done = this->values(positions.data(), positions.size(), values.data());
        if (!done) return done.error();
        return values;
    }

    /// Writes the best `capacity` moves to `moves`, best first, and returns the number of legal moves, which
    /// may be greater. Allocates nothing in C++.
    Expected<std::size_t> moves(const Position &position, Move *moves, std::size_t capacity) const {
        const dragnet_position at = detail::position(position);
        return detail::result<std::size_t>([&](std::size_t *count) {
            return dragnet_table_moves(get(), &at, detail::raw(moves), capacity, count);
        });
    }

    /// Fills a buffer with the best moves, best first, and returns the number of legal moves, which may be
    /// greater. Allocates nothing in C++. The buffer is empty after a failure.
    template <std::size_t N> Expected<std::size_t> moves(const Position &position, MoveBuffer<N> &buffer) const {
        auto count = moves(position, buffer.moves_, N);
        buffer.total_ = count.value_or(std::size_t{0});
        return count;
    }

    /// Returns every legal move, best first. Allocates once, for the vector.
    Expected<std::vector<Move>> moves(const Position &position) const {
        MoveBuffer<> few;
        const auto count = moves(position, few);
        if (!count) return count.error();
        if (*count <= few.size()) return std::vector<Move>(few.begin(), few.end());
        std::vector<Move> moves(*count);
        const auto again = this->moves(position, moves.data(), moves.size());
        if (!again) return again.error();
        return moves;
    }

    /// Returns the best move, std::nullopt if the position is terminal or the side to move is stuck.
    /// Allocates nothing in C++.
    Expected<std::optional<Move>> best_move(const Position &position) const {
        const dragnet_position at = detail::position(position);
        Move best;
        const auto count = detail::result<std::size_t>(
            [&](std::size_t *out) { return dragnet_table_best_move(get(), &at, detail::raw(&best), out); });
        if (!count) return count.error();
        return *count == 0 ? std::nullopt : std::optional<Move>(best);
    }

    /// Returns whether the police captures the thief within `plies` plies, if both sides play perfectly.
    Expected<bool> is_caught_within(const Position &position, std::uint32_t plies) const {
        const auto found = value(position);
        if (!found) return found.error();
        return found->winner == Side::police && found->dtw <= plies;
    }

    /// Returns optimal play to the end.
    Expected<Line> line(const Position &position) const {
        const dragnet_position at = detail::position(position);
        const auto start = value(position);
        if (!start) return start.error();
        // A won position has as many moves as its distance, which a forged table may exaggerate. A draw needs
        // a guess.
        constexpr std::uint32_t most = 1 << 16;
        const std::uint32_t plies = start->dtw < most ? start->dtw : most;
        Winner winner;
        auto moves = detail::list<Move>(
            start->winner ? plies : 64, [&](dragnet_move *buffer, std::size_t capacity, std::size_t *count) {
                return dragnet_table_line(get(), &at, buffer, capacity, count, detail::raw(&winner));
            });
        if (!moves) return moves.error();
        return Line{std::move(*moves), winner};
    }

    /// Returns the side that has won a terminal position, none if the position is not terminal.
    Expected<Winner> winner(const Position &position) const {
        const dragnet_position at = detail::position(position);
        return detail::result<Winner>(
            [&](Winner *winner) { return dragnet_table_winner(get(), &at, detail::raw(winner)); });
    }

private:
    friend class Open;
    friend class Tablebase;

    using BoardTable::BoardTable;
};

/// An open game table.
class GameTable : public detail::OpenTable {
public:
    /// Returns counts, longest distances, key and digest.
    Expected<GameInfo> info() const {
        return detail::result<GameInfo>([&](GameInfo *info) { return dragnet_game_table_info(get(), info); });
    }

    /// Returns the name of the game, for people.
    Expected<std::string> name() const {
        return detail::text([&](char *buffer, std::size_t capacity, std::size_t *length) {
            return dragnet_game_table_name(get(), buffer, capacity, length);
        });
    }

    /// Returns the value of a position.
    Expected<GameValue> value(std::uint64_t position) const {
        return detail::result<GameValue>(
            [&](GameValue *value) { return dragnet_game_table_value(get(), position, detail::raw(value)); });
    }

    /// Writes the values of `count` positions to `values`, in the same order. The failure has the index of
    /// the position to blame, if there is one.
    Expected<void> values(const std::uint64_t *positions, std::size_t count, GameValue *values) const {
        std::size_t failed = count;
        const auto status = dragnet_game_table_values(get(), positions, count, detail::raw(values), &failed);
        if (status != DRAGNET_OK) return detail::failure(status, failed, count);
        return detail::Nothing{};
    }

    /// Returns the values of many positions in the same order. The failure has the index of the position to
    /// blame, if there is one.
    Expected<std::vector<GameValue>> values(const std::vector<std::uint64_t> &positions) const {
        std::vector<GameValue> values(positions.size());
        const auto done = this->values(positions.data(), positions.size(), values.data());
        if (!done) return done.error();
        return values;
    }

    /// Returns the index of the successor that is best for the player who moves, std::nullopt if there are
    /// none. In each successor the opponent must be to move.
    Expected<std::optional<std::size_t>> best(const std::uint64_t *successors, std::size_t count) const {
        std::size_t best = 0;
        const dragnet_status status = dragnet_game_table_best(get(), successors, count, &best);
        if (status != DRAGNET_OK) return detail::failure(status);
        return best == count ? std::nullopt : std::optional<std::size_t>(best);
    }

    /// Returns the index of the successor that is best for the player who moves, std::nullopt if there are
    /// none. In each successor the opponent must be to move.
    Expected<std::optional<std::size_t>> best(const std::vector<std::uint64_t> &successors) const {
        return best(successors.data(), successors.size());
    }

private:
    friend class Open;

    using OpenTable::OpenTable;
};

/// An open partial table, which keeps a part of what a pursuit table knows. What it does not keep fails with
/// DRAGNET_ERROR_KIND.
class PartialTable : public detail::BoardTable {
public:
    /// Returns what the table keeps.
    Expected<Keep> keeps() const {
        const auto keeps = detail::result<std::int32_t>(
            [&](std::int32_t *out) { return dragnet_partial_table_keeps(get(), out); });
        if (!keeps) return keeps.error();
        return static_cast<Keep>(*keeps);
    }

    /// Returns the side that wins, none for a draw.
    Expected<Winner> winner(const Position &position) const {
        const dragnet_position at = detail::position(position);
        return detail::result<Winner>(
            [&](Winner *winner) { return dragnet_partial_table_outcome(get(), &at, detail::raw(winner)); });
    }

    /// Returns the position after a best move of the side to move, std::nullopt if the position is terminal
    /// or the side has no move.
    Expected<std::optional<Position>> best_move(const Position &position) const {
        const dragnet_position at = detail::position(position);
        dragnet_position after;
        const auto count = detail::result<std::size_t>(
            [&](std::size_t *out) { return dragnet_partial_table_best_move(get(), &at, &after, out); });
        if (!count) return count.error();
        return *count == 0 ? std::nullopt : std::optional<Position>(detail::position(after));
    }

private:
    friend class Open;

    using BoardTable::BoardTable;
};

/// A table of whichever kind a file is.
using AnyTable = std::variant<Table, GameTable, PartialTable>;

/// A table to be opened: says where it is, and then as which kind of table it is opened. Nothing is looked at
/// before that, and each is opened once.
class Open {
public:
    /// Opens a file, each block of which is read when it is first needed. The file may change meanwhile.
    static Open path(std::string path) { return {std::move(path), &dragnet_source::path}; }

    /// Reads a whole file into memory.
    static Open whole(std::string path) { return {std::move(path), &dragnet_source::whole}; }

    /// Opens a file as a memory map. Nobody may write to the file or truncate it while it is open: see
    /// dragnet.h.
    static Open mapped(std::string path) { return {std::move(path), &dragnet_source::mapped}; }

    /// Opens a copy of `length` bytes.
    static Open bytes(const std::uint8_t *bytes, std::size_t length) {
        dragnet_source source{};
        source.bytes = bytes;
        source.length = length;
        return Open::source(source);
    }

    /// Opens `length` bytes without a copy, which must not change before the last copy of the table is
    /// closed.
    static Open kept(const std::uint8_t *bytes, std::size_t length) {
        dragnet_source source{};
        source.kept = bytes;
        source.length = length;
        return Open::source(source);
    }

    /// Opens a source of dragnet.h, such as one with functions of your own.
    static Open source(const dragnet_source &source) { return Open(source); }

    /// Opens a pursuit table. Fails with DRAGNET_ERROR_KIND if it is another one.
    Expected<Table> pursuit() && { return as<Table>(DRAGNET_TABLE_PURSUIT); }

    /// Opens a game table. Fails with DRAGNET_ERROR_KIND if it is another one.
    Expected<GameTable> game() && { return as<GameTable>(DRAGNET_TABLE_GAME); }

    /// Opens a partial table. Fails with DRAGNET_ERROR_KIND if it is another one.
    Expected<PartialTable> partial() && { return as<PartialTable>(DRAGNET_TABLE_PARTIAL); }

    /// Opens a table of whichever kind it is.
    Expected<AnyTable> any() && {
        const auto table = open(DRAGNET_TABLE_ANY);
        if (!table) return table.error();
        dragnet_kind kind = DRAGNET_TABLE_PURSUIT;
        dragnet_table_kind(*table, &kind);
        if (kind == DRAGNET_TABLE_GAME) return AnyTable(GameTable(*table));
        if (kind == DRAGNET_TABLE_PARTIAL) return AnyTable(PartialTable(*table));
        return AnyTable(Table(*table));
    }

private:
    explicit Open(const dragnet_source &source) : source_(source) {}
    Open(std::string file, const char *dragnet_source::*member) : file_(std::move(file)), member_(member) {}

    Expected<dragnet_table *> open(dragnet_kind kind) {
        if (member_ != nullptr) source_.*member_ = file_.c_str();
        return detail::result<dragnet_table *>(
            [&](dragnet_table **table) { return dragnet_open(&source_, kind, table); });
    }

    template <class T> Expected<T> as(dragnet_kind kind) {
        const auto table = open(kind);
        if (!table) return table.error();
        return T(*table);
    }

    dragnet_source source_{};
    std::string file_;
    const char *dragnet_source::*member_ = nullptr;
};

/// An open tablebase: the pursuit tables of one or several folders.
class Tablebase {
public:
    /// Opens folders, and reads the header of each file in them whose name ends in .dtb. At most
    /// `open_tables` tables stay open without a handle, 64 if it is 0.
    static Expected<Tablebase> open(const std::vector<std::string> &folders, std::uint64_t open_tables = 0) {
        std::vector<const char *> names;
        names.reserve(folders.size());
        for (const std::string &folder : folders) names.push_back(folder.c_str());
        dragnet_tablebase *tablebase = nullptr;
        const auto status = dragnet_tablebase_open(names.data(), names.size(), open_tables, &tablebase);
        if (status != DRAGNET_OK) return detail::failure(status);
        return Tablebase(tablebase);
    }

    /// Returns the table for the board and the rules of a TOML document such as Table::source. Fails with
    /// DRAGNET_ERROR_MISSING if there is none.
    Expected<Table> table(const std::string &source) const {
        const auto table = detail::result<dragnet_table *>(
            [&](dragnet_table **out) { return dragnet_tablebase_table(get(), source.c_str(), out); });
        if (!table) return table.error();
        return Table(*table);
    }

    /// Returns the paths of all tables.
    Expected<std::vector<std::string>> paths() const {
        return texts(&dragnet_tablebase_info::tables, dragnet_tablebase_path);
    }

    /// Returns the errors of the files whose name ends in .dtb and whose header is invalid.
    Expected<std::vector<std::string>> unreadable() const {
        return texts(&dragnet_tablebase_info::unreadable, dragnet_tablebase_unreadable_message);
    }

    /// Returns the handle for functions of dragnet.h. It still belongs to this object.
    const dragnet_tablebase *get() const noexcept { return handle_.get(); }

private:
    explicit Tablebase(dragnet_tablebase *tablebase) : handle_(tablebase) {}

    template <class One>
    Expected<std::vector<std::string>> texts(std::uint64_t dragnet_tablebase_info::*number, One one) const {
        const auto info = detail::result<dragnet_tablebase_info>(
            [&](dragnet_tablebase_info *out) { return dragnet_tablebase_info_of(get(), out); });
        if (!info) return info.error();
        const auto count = static_cast<std::size_t>((*info).*number);
        std::vector<std::string> texts;
        texts.reserve(count);
        for (std::size_t i = 0; i < count; i++) {
            auto text = detail::text([&](char *buffer, std::size_t capacity, std::size_t *length) {
                return one(get(), i, buffer, capacity, length);
            });
            if (!text) return text.error();
            texts.push_back(std::move(*text));
        }
        return texts;
    }

    detail::Handle<dragnet_tablebase, dragnet_tablebase_close> handle_;
};

/// Returns the strength of a preset, from "easy" to "perfect".
inline Expected<Strength> strength(const std::string &name) {
    return detail::result<Strength>(
        [&](Strength *strength) { return dragnet_strength_preset(name.c_str(), strength); });
}

/// Returns the strength at a level of the dial, from 0 to DRAGNET_MAX_LEVEL, which is perfect.
inline Expected<Strength> strength(std::uint32_t level) {
    return detail::result<Strength>([&](Strength *strength) { return dragnet_strength_level(level, strength); });
}

/// A share of wins that an opponent is to reach.
struct Target {
    /// The side of the opponent.
    Side side = Side::police;
    /// The share of games that it is to win, 0 to 1000 per mille.
    std::uint32_t share = 500;
    /// The number of games at each level that is tried, 1 to 100,000.
    std::uint32_t games = 200;
    /// The seed of all lots.
    std::uint64_t seed = 0;
    /// The style of the opponent.
    Style style{};
};

/// A player for either side or both, whose moves depend on the table, its parameters, its seed and nothing
/// else. A copy is another opponent, which goes on as this one would.
class Opponent {
public:
    // A copy is empty if the library cannot make one.
    Opponent(const Opponent &other) noexcept : handle_(nullptr) {
        if (other.handle_ != nullptr) dragnet_opponent_copy(other.handle_, &handle_);
    }
    Opponent(Opponent &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Opponent &operator=(Opponent other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Opponent() { dragnet_opponent_close(handle_); }

    /// Creates an opponent that draws all lots from `seed`.
    static Expected<Opponent> create(const Strength &strength, const Style &style, std::uint64_t seed) {
        dragnet_opponent *opponent = nullptr;
        const dragnet_status status = dragnet_opponent_create(&strength, &style, seed, &opponent);
        if (status != DRAGNET_OK) return detail::failure(status);
        return Opponent(opponent);
    }

    /// Chooses a move for the side to move, std::nullopt if the position is terminal or the side is stuck. To
    /// be called once for each turn. Allocates nothing after some turns.
    Expected<std::optional<Move>> choose(const Table &table, const Position &position) {
        const dragnet_position at = detail::position(position);
        Move chosen;
        const auto count = detail::result<std::size_t>([&](std::size_t *out) {
            return dragnet_opponent_choose(get(), table.get(), &at, detail::raw(&chosen), out);
        });
        if (!count) return count.error();
        return *count == 0 ? std::nullopt : std::optional<Move>(chosen);
    }

    /// Returns the number that continues the lots as a seed, for a saved game.
    Expected<std::uint64_t> state() const {
        return detail::result<std::uint64_t>(
            [&](std::uint64_t *state) { return dragnet_opponent_state(get(), state); });
    }

    /// Begins a new game with lots from `seed`. With the seed of `state` the opponent only forgets where the
    /// enemy stood, as after moves were taken back.
    Expected<void> restart(std::uint64_t seed) { return detail::outcome(dragnet_opponent_restart(get(), seed)); }

    /// Finds the level at which an opponent wins a share of the games from `starts` against `against`, which
    /// stays as it is, or against a perfect player if it is NULL.
    static Expected<Calibration> calibrate(const Table &table, const std::vector<Position> &starts,
                                               const Target &target, const Opponent *against = nullptr) {
        const auto asked = detail::positions(starts);
        const dragnet_target wanted{target.seed, static_cast<dragnet_side>(target.side), target.share,
                                    target.games, target.style};
        return detail::result<Calibration>([&](Calibration *found) {
            return dragnet_table_calibrate(table.get(), asked.data(), asked.size(), &wanted,
                                           against == nullptr ? nullptr : against->get(), found);
        });
    }

    /// Returns the handle for functions of dragnet.h. It still belongs to this object.
    dragnet_opponent *get() const noexcept { return handle_; }

private:
    explicit Opponent(dragnet_opponent *opponent) noexcept : handle_(opponent) {}

    dragnet_opponent *handle_;
};

/// The moves of one side in a game, with what they cost.
struct Review {
    /// The numbers of moves, errors and blunders, and what all moves together lost.
    dragnet_review sums{};
    /// The moves of the side, in their order.
    std::vector<ReviewedMove> moves{};

    /// Rates the moves of `side` in a game: its start and the position after each ply.
    static Expected<Review> of(const Table &table, const std::vector<Position> &game, Side side) {
        const auto asked = detail::positions(game);
        Review review;
        review.moves.resize(game.size());
        const dragnet_status status =
            dragnet_table_review(table.get(), asked.data(), asked.size(), static_cast<dragnet_side>(side),
                                 &review.sums, detail::raw(review.moves.data()), review.moves.size());
        if (status != DRAGNET_OK) return detail::failure(status);
        review.moves.resize(static_cast<std::size_t>(review.sums.moves));
        return review;
    }

    /// Returns the `count` worst moves, the worst first: those that lost the most of the outcome, then the
    /// most plies, then the earliest.
    Expected<std::vector<ReviewedMove>> worst(std::size_t count) const {
        std::vector<ReviewedMove> worst(count < moves.size() ? count : moves.size());
        std::size_t errors = 0;
        const auto *all = reinterpret_cast<const dragnet_reviewed_move *>(moves.data());
        const dragnet_status status =
            dragnet_review_worst(all, moves.size(), detail::raw(worst.data()), worst.size(), &errors);
        if (status != DRAGNET_OK) return detail::failure(status);
        if (errors < worst.size()) worst.resize(errors);
        return worst;
    }
};

} // inline namespace

} // namespace dragnet

#endif
