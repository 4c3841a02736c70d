// Asks a table, in C++.
//
//     probe TABLE          describes the table, and lists every move and optimal play with the officers
//                          on the first open cell and the thief on the last one
//     probe answer TABLE   answers a stream of positions as `dragnet probe TABLE --stdin` does: reads lines
//                          "police_row police_col thief_row thief_col turn", with two numbers for each
//                          officer, and with the world behind the turn unless it is 0; or numbers of
//                          positions of a game table; prints "outcome TAB dtw"
#include <dragnet.hpp>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>

static std::ostream &operator<<(std::ostream &out, dragnet::Side side) {
    return out << (side == dragnet::Side::police ? "police" : "thief");
}

static std::ostream &operator<<(std::ostream &out, dragnet::Cell cell) { return out << cell.row << ',' << cell.col; }

static std::ostream &operator<<(std::ostream &out, const dragnet::Pieces &pieces) {
    const char *between = "";
    for (const dragnet::Cell cell : pieces) {
        out << between << cell;
        between = "+";
    }
    return out;
}

static std::ostream &operator<<(std::ostream &out, const dragnet::Value &value) {
    if (!value.winner) return out << "draw\t-";
    return out << *value.winner << '\t' << value.dtw;
}

static int answer(const dragnet::Table &table) {
    std::vector<dragnet::Cell> police(static_cast<std::size_t>(table.info().value().officers));
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        dragnet::Position at;
        std::string turn, more;
        for (dragnet::Cell &officer : police) words >> officer.row >> officer.col;
        words >> at.thief.row >> at.thief.col >> turn;
        const bool position = words && (turn == "police" || turn == "thief");
        const bool no_world = (words >> std::ws).eof();
        if (!position || !(no_world || words >> at.world) || words >> more) {
            std::cerr << "expected ";
            for (std::size_t i = 0; i < police.size(); i++) std::cerr << "police_row police_col ";
            std::cerr << "thief_row thief_col and police or thief, found " << line << '\n';
            return 2;
        }
        at.police = police;
        at.turn = turn == "police" ? dragnet::Side::police : dragnet::Side::thief;
        std::cout << table.value(at).value() << '\n';
    }
    return 0;
}

static int answer(const dragnet::GameTable &table) {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::uint64_t position = 0;
        std::string more;
        words >> std::ws;
        if (words.peek() == '-' || !(words >> position) || words >> more) {
            std::cerr << "expected the number of a position, found " << line << '\n';
            return 2;
        }
        const dragnet::GameValue value = table.value(position).value();
        if (value.result == dragnet::Result::drawn) {
            std::cout << "drawn\t-\n";
        } else {
            std::cout << (value.result == dragnet::Result::won ? "won" : "lost") << '\t' << value.dtw << '\n';
        }
    }
    return 0;
}

static int describe(const dragnet::Table &table) {
    const dragnet::Board board = table.board().value();
    std::cout << board.height << 'x' << board.width << " squares, " << table.info().value().positions << " positions\n";

    const std::vector<dragnet::Cell> open = board.open_cells();
    const std::vector<dragnet::Cell> police(static_cast<std::size_t>(table.info().value().officers), open.front());
    const dragnet::Position at{police, open.back(), dragnet::Side::police};
    std::cout << "police " << at.police << ", thief " << at.thief << ", police to move: " << table.value(at).value()
              << '\n';
    for (const dragnet::Move &move : table.moves(at).value()) {
        std::cout << "  to " << move.to << ": " << move.value << '\n';
    }
    const dragnet::Line line = table.line(at).value();
    for (const dragnet::Move &move : line.moves) std::cout << move.side << ' ' << move.to << "; ";
    if (line.winner) {
        std::cout << *line.winner << " wins\n";
    } else {
        std::cout << "draw by repetition\n";
    }
    return 0;
}

int main(int argc, char **argv) {
    const bool answers = argc == 3 && std::strcmp(argv[1], "answer") == 0;
    if (!answers && argc != 2) {
        std::cerr << "usage: probe [answer] TABLE\n";
        return 2;
    }
    const char *path = argv[argc - 1];
    try {
        const auto game = dragnet::Open::path(path).game();
        if (answers && game) return answer(*game);
        const auto table = dragnet::Open::path(path).pursuit().value();
        return answers ? answer(table) : describe(table);
    } catch (const dragnet::Error &error) {
        std::cerr << dragnet_status_name(error.status()) << ": " << error.what() << '\n';
        return 3;
    }
}
