/*
 * Dragnet answers questions from endgame tables of pursuit games: who wins a position of policeman against
 * thief, in how many plies, and with which move.
 *
 *     #include <dragnet.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         dragnet_source source = {.path = "yard.dtb"};
 *         dragnet_table *table;
 *         if (dragnet_open(&source, DRAGNET_TABLE_PURSUIT, &table) != DRAGNET_OK) {
 *             fprintf(stderr, "%s\n", dragnet_last_error());
 *             return 1;
 *         }
 *         dragnet_position position = {.police = {{7, 1}}, .thief = {5, 10}, .turn = DRAGNET_POLICE};
 *         dragnet_value value;
 *         dragnet_status status = dragnet_table_value(table, &position, &value);
 *         if (status == DRAGNET_OK && value.outcome == DRAGNET_THIEF) {
 *             printf("the thief wins in %u plies\n", (unsigned)value.dtw);
 *         }
 *         dragnet_table_close(table);
 *         return 0;
 *     }
 *
 * Terms. The police, with one officer or several, and the thief take turns. A ply is one turn of one side. A
 * position is the cells of all pieces and the side to move. The value of a position is its outcome and its
 * distance to win (DTW): the number of plies to the end if the winner wins as quickly and the loser loses as
 * slowly as possible. A draw has no distance. A position is terminal if one side has already won. Rows and
 * columns count from 0, with row 0 at the top. If the board is a graph, vertex v is the cell in row 0 and
 * column v, and the pieces move along edges.
 *
 * Layers. In most games a cell is a square of the board. In some games the pieces of a side have several
 * layers, each as large as the board: floors, say, or the directions in which a piece looks. Then the rows of
 * a side's cells go on from layer to layer: row r of layer l is row l * height + r.
 *
 * Worlds. Most games have one world, number 0. In others a move changes more than the cells of pieces: it
 * turns a key that opens doors, say, or a clock goes on. Such a game has a world for each state that keys and
 * clocks can have. A position says in which world it is, and a move to which world it leads. On a board with
 * doors a game begins in world 0.
 *
 * Three kinds of table, of which every handle of a table tells its own. A pursuit table has the places, moves
 * and ends of a game of police against thief, the values of all positions, and the text from which the game
 * was made. A partial table keeps less than the values: who wins, or best moves of one side. A game table has
 * the values of any other game, whose positions are numbered from 0. A question to a table of another kind is
 * DRAGNET_ERROR_KIND.
 *
 * Errors. Every function returns a status, except for the three that return text. If the status is not
 * DRAGNET_OK, dragnet_last_error() describes the error, and nothing has been written beyond what the
 * function's description says. NULL where it is not allowed, misaligned pointers and invalid numbers are
 * DRAGNET_ERROR_ARGUMENT. A damaged table is DRAGNET_ERROR_DAMAGED, never a wrong answer.
 *
 * Pointers. Arguments that are const are only read, and only during the call, unless the description says
 * otherwise. Memory that a function writes to belongs to the caller, and must not overlap any other argument.
 * The library hands out no memory except handles. A pointer to an array of 0 elements may be NULL.
 *
 * Lists and texts are copied to a buffer of the caller that has room for `capacity` elements. The function
 * always writes the total number of elements, so that a call with a capacity of 0 and the buffer NULL asks
 * for the number alone. Of a list, the first `capacity` elements are written. A text is cut to leave room for
 * a final NUL, which the length does not count.
 *
 * Handles. Close every handle once, which frees the memory. Handles do not depend on each other. Do not use a
 * handle after closing it.
 *
 * Threads. All functions may be called from any thread, also with the same handle, and without a lock. Close
 * a handle after the other calls with it have returned.
 *
 * Encodings. Texts are UTF-8. Paths are arbitrary bytes on Unix, and UTF-8 elsewhere; the arguments of main
 * on Windows are neither, so take those of wmain and convert them with dragnet_utf8_from_utf16. Enumerations
 * are integers of 32 bits, squares of 8 bits, and structures have no padding, so that the layout is the same
 * everywhere.
 */
#ifndef DRAGNET_H
#define DRAGNET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface and of the library. A program compiled for 0.1.0 works with every 0.1.x. */
#define DRAGNET_VERSION "0.1.0"

/* ---- Statuses ---- */

/* The result of a call. Later versions may add numbers, but never change one. */
typedef int32_t dragnet_status;
enum {
    DRAGNET_OK = 0,
    /*
     * An argument is invalid: NULL, an unknown number, a source that cannot be read, an index beyond the end.
     */
    DRAGNET_ERROR_ARGUMENT = 1,
    /* A file or folder is missing or cannot be read. */
    DRAGNET_ERROR_FILE = 2,
    /* The file is not a table. */
    DRAGNET_ERROR_NOT_A_TABLE = 3,
    /* The table has a format version that this library does not know. */
    DRAGNET_ERROR_VERSION = 4,
    /* The table is truncated, was altered (perhaps while it was open), or contradicts itself. */
    DRAGNET_ERROR_DAMAGED = 5,
    /*
     * The position does not exist: a piece stands off the board, on a wall or on another cell that is no
     * place of its side, the table has no such world or another number of officers, or the number of a
     * position is too large.
     */
    DRAGNET_ERROR_POSITION = 6,
    /* The tablebase has no table for this board and these rules. */
    DRAGNET_ERROR_MISSING = 7,
    /*
     * The system refuses memory for bytes, positions or a memory map. If other memory runs out, the process
     * aborts.
     */
    DRAGNET_ERROR_MEMORY = 8,
    /* A bug in the library, also described on standard error. Please report it. Handles stay valid. */
    DRAGNET_ERROR_PANIC = 9,
    /*
     * The table is of another kind than was asked for, or than answers this question. Or a partial table
     * does not keep what is asked for.
     */
    DRAGNET_ERROR_KIND = 10,
    /*
     * The question needs more work than a table may ask for: the position has too many moves, say. FORMAT.md
     * has the limits, which no table for a game comes near unless its pieces have moves by the thousands.
     */
    DRAGNET_ERROR_TOO_MUCH_WORK = 11,
    /* Your function has stopped the work: see dragnet_progress. */
    DRAGNET_ERROR_STOPPED = 12
};

/*
 * Returns the message of the last call that failed in this thread: one line that says what was expected and
 * what was found. The message is empty before the first failure, and stays until the next failure in this
 * thread or the end of the thread. It is never NULL, and must not be freed.
 */
const char *dragnet_last_error(void);

/* Returns the name of a status, for example "DRAGNET_ERROR_FILE", or "unknown". The text is static. */
const char *dragnet_status_name(int32_t status);

/* Returns the version of the linked library, for example "0.1.0". The text is static. */
const char *dragnet_version(void);

/*
 * Writes a text of UTF-16, which a 0 ends, in UTF-8: on Windows any path, whose type wchar_t has 16 bits
 * there; see "Lists and texts" above. ARGUMENT: a surrogate has no partner.
 */
dragnet_status dragnet_utf8_from_utf16(const uint16_t *wide, char *text, size_t capacity, size_t *length);

/* ---- Positions and values ---- */

/* A side, a winner or an outcome. */
typedef int32_t dragnet_side;
enum {
    DRAGNET_NOBODY = 0, /* no side, as a winner */
    DRAGNET_DRAW = 0,   /* no side, as an outcome */
    DRAGNET_POLICE = 1,
    DRAGNET_THIEF = 2
};

/* The most officers of a position. */
#define DRAGNET_MAX_OFFICERS 6

/* A cell of the board, or of a layer. */
typedef struct dragnet_cell {
    uint16_t row;
    uint16_t col;
} dragnet_cell;

/*
 * A position: the world, the cells of all pieces, and the side to move. The order of the officers does not
 * matter, and several may stand on one cell.
 */
typedef struct dragnet_position {
    dragnet_cell police[DRAGNET_MAX_OFFICERS]; /* the first `officers` of them are read */
    dragnet_cell thief;
    dragnet_side turn; /* the side to move, DRAGNET_POLICE or DRAGNET_THIEF */
    int32_t officers;  /* the number of officers of the table; 0 stands for 1 */
    uint32_t world;    /* the number of the world, below `worlds` of dragnet_info; 0 if there is only one */
} dragnet_position;

/* The DTW of a draw. */
#define DRAGNET_NO_DTW UINT32_MAX

/* The value of a position. */
typedef struct dragnet_value {
    dragnet_side outcome;
    uint32_t dtw; /* in plies; DRAGNET_NO_DTW for a draw */
} dragnet_value;

/*
 * A move, and the value of the position after it. A move to a win in n plies is a win in n + 1 plies before
 * the move. `to` lists the cells of the moving side's pieces after the move: one cell for the thief or a
 * single officer, and the cells of all officers in reading order otherwise, including officers that have not
 * moved. Unused cells are 0,0.
 */
typedef struct dragnet_move {
    dragnet_side side; /* the side that moves */
    int32_t count;     /* the number of cells in `to`: 1, or the number of officers */
    dragnet_cell to[DRAGNET_MAX_OFFICERS];
    uint32_t world;    /* the world of the position after the move */
    dragnet_value value;
} dragnet_move;

/* ---- Opening a table ---- */

/* A handle of an open table of any kind. */
typedef struct dragnet_table dragnet_table;

/* The kind of a table. */
typedef int32_t dragnet_kind;
enum {
    DRAGNET_TABLE_ANY = 0, /* whichever kind the table is, when it is opened */
    DRAGNET_TABLE_PURSUIT = 1,
    DRAGNET_TABLE_GAME = 2,
    DRAGNET_TABLE_PARTIAL = 3
};

/*
 * Where a table is: exactly one of the first six members is not NULL. The members that its description does
 * not name may be 0.
 */
typedef struct dragnet_source {
    /*
     * The path of a file, whose header is read now, and each block when it is first needed. The file may be
     * changed or truncated while it is open: calls then fail with DAMAGED or FILE, and never answer wrongly.
     */
    const char *path;
    /* The path of a file that is read as a whole now, and is not needed afterwards. */
    const char *whole;
    /*
     * The path of a file that becomes a memory map, which the system shares between processes and takes back
     * when memory is short. Blocks that are not compressed are read in place. Contract: nobody writes to the
     * file or truncates it, in this process or another, before the handle is closed. Otherwise calls may
     * answer wrongly, and the system may kill the process. To replace the file by renaming another file over
     * it is allowed.
     */
    const char *mapped;
    /* `length` bytes, which are copied. */
    const uint8_t *bytes;
    /* `length` bytes, such as static data, which you promise not to change before the handle is closed. */
    const uint8_t *kept;
    /*
     * A place of your own with `length` bytes, such as a part of an archive or a virtual file system: writes
     * `count` bytes from byte `offset` on to `bytes`, and returns 0, or any other number on failure. May be
     * called from any thread, and by several at once. What is read is checked.
     */
    int32_t (*read)(void *context, uint64_t offset, uint8_t *bytes, size_t count);
    /* Called once when the source is not needed any more, also if the table cannot be opened. May be NULL. */
    void (*close)(void *context);
    void *context;   /* passed to the functions */
    uint64_t length; /* the number of bytes, except of files */
} dragnet_source;

/*
 * Opens a table of the given kind, which is cheap however large a file is, unless it is read as a whole. On
 * failure *table is NULL. FILE, NOT_A_TABLE, VERSION, KIND, DAMAGED (as far as the header and the length show
 * it), MEMORY, ARGUMENT.
 */
dragnet_status dragnet_open(const dragnet_source *source, dragnet_kind kind, dragnet_table **table);

/* Closes a handle. The handle may be NULL. */
dragnet_status dragnet_table_close(dragnet_table *table);

/* Writes the kind of a table. */
dragnet_status dragnet_table_kind(const dragnet_table *table, dragnet_kind *kind);

/* A function of yours that follows long work, and may stop it. */
typedef struct dragnet_progress {
    void *context; /* passed to the function */
    /*
     * Called after each block, in the thread of the call, with the number of blocks done and of all blocks.
     * Returns 0 to go on, or any other number to stop. It must return: no exception and no longjmp.
     */
    int32_t (*report)(void *context, uint64_t done, uint64_t blocks);
} dragnet_progress;

/*
 * Reads the whole of a table of any kind, and checks every checksum and the structure of every block.
 * `progress` may be NULL. DAMAGED: the first damage found. STOPPED: your function has stopped the work.
 */
dragnet_status dragnet_table_check_sums(const dragnet_table *table, const dragnet_progress *progress);

/*
 * Sets the most bytes of memory for the cache, in which all tables of the process keep blocks that have been
 * read, checked and decompressed: 32 MiB if nothing is set. It holds for tables that are opened from now on;
 * those that are open go on with the memory that they have until they are closed. The memory goes back to the
 * system when the last table is closed.
 */
dragnet_status dragnet_cache_set_limit(uint64_t bytes);

/* What the cache holds and how often it was of use. */
typedef struct dragnet_cache_statistics {
    uint64_t limit;    /* the most bytes of memory that the cache may take */
    uint64_t reserved; /* bytes that are reserved; the system gives them as they are used */
    uint64_t bytes;    /* bytes of the blocks that are kept */
    uint64_t tables;   /* open tables */
    uint64_t hits;     /* how often a block was found */
    uint64_t misses;   /* how often a block had to be read or decompressed */
} dragnet_cache_statistics;

/* Writes what the cache holds. Many misses beside few hits say that a higher limit would help. */
dragnet_status dragnet_cache_get_statistics(dragnet_cache_statistics *statistics);

/* ---- Properties of a game of police against thief ----
 *
 * These are of pursuit tables and partial tables.
 */

/* The number of positions with each outcome. */
typedef struct dragnet_counts {
    uint64_t police;
    uint64_t thief;
    uint64_t draw;
} dragnet_counts;

/* The result for a side to move that has no move. */
typedef int32_t dragnet_stuck;
enum { DRAGNET_STUCK_LOSES = 0, DRAGNET_STUCK_WINS = 1 };

/* The officers that move in one turn of the police: all of them, or any one. */
typedef int32_t dragnet_team;
enum { DRAGNET_TEAM_ALL = 0, DRAGNET_TEAM_ONE = 1 };

/* The properties of a pursuit table, or of the one from which a partial table was made. */
typedef struct dragnet_info {
    uint32_t height;         /* rows of the board, which are those of a layer */
    uint32_t width;          /* columns of the board */
    uint32_t officer_layers; /* layers of the officers' cells, 1 in most games */
    uint32_t thief_layers;   /* layers of the thief's cells, 1 in most games */
    int32_t officers;        /* 1 to DRAGNET_MAX_OFFICERS */
    dragnet_team team;       /* without effect for a single officer */
    dragnet_stuck stuck;
    /*
     * The side that is said to win a draw, or DRAGNET_NOBODY. Values do not depend on it: the outcome of a
     * draw is always DRAGNET_DRAW.
     */
    dragnet_side undecided;
    uint64_t worlds;     /* 1 in most games */
    uint64_t open_cells; /* squares of the board that are not walls */
    uint64_t positions;  /* with either side to move */
    dragnet_counts police_to_move;
    dragnet_counts thief_to_move;
    uint32_t longest_police; /* the greatest DTW of a win of the police, 0 if there is none */
    uint32_t longest_thief;  /* the greatest DTW of a win of the thief, 0 if there is none */
    uint64_t digest;         /* the content digest: equal for tables with the same values */
    uint64_t file_length;    /* in bytes */
    uint64_t memory;         /* bytes of memory that the open table takes at most, without its file */
} dragnet_info;

/* Writes the properties of a table. This is cheap. */
dragnet_status dragnet_table_info(const dragnet_table *table, dragnet_info *info);

/* The kinds of squares. */
enum {
    DRAGNET_SQUARE_WALL = 0,
    DRAGNET_SQUARE_OPEN = 1,
    DRAGNET_SQUARE_EXIT = 2 /* an open cell on which the thief escapes, unless an officer stands there too */
};

/*
 * Writes the squares of the board in reading order, height * width of them; see "Lists and texts" above. The
 * vertices of a graph are a single row without walls. A square is a wall if no piece can stand there.
 */
dragnet_status dragnet_table_squares(const dragnet_table *table, uint8_t *squares, size_t capacity, size_t *count);

/*
 * Writes the text from which the game was made; see "Lists and texts" above. For a game on a board or a graph
 * it is a TOML document with the board, its start cells and the rules, which FORMAT.md describes: `dragnet
 * verify` checks that the game is the one of this text. A program that gives a game of its own may say there
 * what it likes, or nothing.
 */
dragnet_status dragnet_table_source(const dragnet_table *table, char *source, size_t capacity, size_t *length);

/* ---- Questions to a pursuit table ----
 *
 * All functions of this section fail with POSITION if a piece stands where its side has no place, such as off
 * the board or on a wall, if the number of officers is not the table's, or if the table has no such world;
 * with DAMAGED if a block that they need is damaged; with ARGUMENT if `turn` is not a side or `officers` is
 * not a number from 0 to DRAGNET_MAX_OFFICERS; and with TOO_MUCH_WORK.
 */

/* Writes the value of a position. */
dragnet_status dragnet_table_value(const dragnet_table *table, const dragnet_position *position, dragnet_value *value);

/*
 * Writes the values of `count` positions, in the same order. This is much quicker than single calls if the
 * table is optimised for size, since each block is decompressed only once. The call takes about 60 bytes of
 * memory per position. On failure nothing is written to `values`, and *failed is the index of a position
 * without an answer, the first one that does not exist if there is one, or `count` if no position is to
 * blame. `failed` may be NULL. MEMORY, beside the statuses above.
 */
dragnet_status dragnet_table_values(const dragnet_table *table, const dragnet_position *positions, size_t count,
                                    dragnet_value *values, size_t *failed);

/*
 * Writes every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equally good
 * moves in reading order, and then by their worlds; see "Lists and texts" above. There are none if the
 * position is terminal or the side to move is stuck. A piece that steps to a neighbour or stays has at most 9
 * moves. Several officers that all move have up to the product of their numbers of moves.
 */
dragnet_status dragnet_table_moves(const dragnet_table *table, const dragnet_position *position, dragnet_move *moves,
                                   size_t capacity, size_t *count);

/*
 * Writes the best move, the first that dragnet_table_moves would write, without looking for room for the
 * others, and *count = 1; or *count = 0 if the position is terminal or the side to move is stuck.
 */
dragnet_status dragnet_table_best_move(const dragnet_table *table, const dragnet_position *position, dragnet_move *best,
                                       size_t *count);

/*
 * Writes optimal play from a position to the end, with the first in reading order of equally good moves; see
 * "Lists and texts" above. A won position has as many moves as its DTW. A draw is played until a position
 * occurs again. *winner is the side that wins, DRAGNET_NOBODY after a repetition; `winner` may be NULL. Every
 * call computes the line again.
 */
dragnet_status dragnet_table_line(const dragnet_table *table, const dragnet_position *position, dragnet_move *moves,
                                  size_t capacity, size_t *count, dragnet_side *winner);

/*
 * Writes the side that has won a terminal position: the police if an officer captures the thief, as on the
 * thief's cell; otherwise the thief who has escaped, as on an exit; otherwise the police if an officer has
 * arrived where that wins. Writes DRAGNET_NOBODY if the position is not terminal. The game may end
 * nevertheless, because the side to move is stuck; the DTW of such a position is 0.
 */
dragnet_status dragnet_table_winner(const dragnet_table *table, const dragnet_position *position, dragnet_side *winner);

/* ---- Opponents ----
 *
 * An opponent chooses moves from the exact values of a table, at a strength and in a style of your choice,
 * with errors by lot. The same seed and the same positions give the same moves in every language; OPPONENT.md
 * says how each is chosen.
 */

/* The horizon that sees every end of a game. */
#define DRAGNET_UNLIMITED UINT32_C(1073741823)

/* The highest level of the dial, perfect play. */
#define DRAGNET_MAX_LEVEL 1000

/* How well an opponent plays. */
typedef struct dragnet_strength {
    uint32_t errors;   /* the share of turns in which it errs if an error tempts it, 0 to 1000 per mille */
    /* the weight of an error that makes the outcome worse, 0 to 1000; one of L plies has 4000 / L */
    uint32_t blunders;
    /* the most plies that an error may lose if it keeps the outcome, to DRAGNET_UNLIMITED */
    uint32_t plies;
    /* the most steps of the outcome, from win to draw to loss, that an error may cost, 0 to 2 */
    uint32_t drop;
    uint32_t horizon;  /* the plies ahead that it sees the end; where it sees none, it chases or flees */
    uint32_t reaction; /* the rounds after which it takes notice of what the other side does, 0 to 8 */
} dragnet_strength;

/*
 * Writes the strength of a preset, from "easy" to "perfect"; the message about another name lists all. For a
 * strength of your own, change the members of one. ARGUMENT: no preset has this name.
 */
dragnet_status dragnet_strength_preset(const char *name, dragnet_strength *strength);

/*
 * Writes the strength at a level of the dial, from 0, which errs in every turn, to DRAGNET_MAX_LEVEL. A
 * higher level never errs more, nor at a higher cost. ARGUMENT: there is no such level.
 */
dragnet_status dragnet_strength_level(uint32_t level, dragnet_strength *strength);

/* The choice among moves that all lose, or all draw. */
typedef int32_t dragnet_style_kind;
enum {
    DRAGNET_STYLE_LONGEST = 0,          /* the moves that lose in the most plies */
    /* the moves with the greatest share of replies that throw the win away */
    DRAGNET_STYLE_TRICKIEST = 1,
    /* the moves after which an enemy of a given strength most likely does so */
    DRAGNET_STYLE_TRICKIEST_AGAINST = 2
};

/* What an opponent does in positions that it cannot win. */
typedef struct dragnet_style {
    dragnet_style_kind kind;
    /* the strength of the enemy, which only DRAGNET_STYLE_TRICKIEST_AGAINST reads */
    dragnet_strength replier;
} dragnet_style;

/*
 * A handle of an opponent, which plays either side or both. Its moves depend on the table, its parameters,
 * its seed and the positions that it was asked before in this game. Calls from several threads wait for each
 * other.
 */
typedef struct dragnet_opponent dragnet_opponent;

/*
 * Creates an opponent that draws all lots from `seed`. `style` may be NULL for DRAGNET_STYLE_LONGEST. On
 * failure *opponent is NULL. ARGUMENT: a parameter is out of its range.
 */
dragnet_status dragnet_opponent_create(const dragnet_strength *strength, const dragnet_style *style, uint64_t seed,
                                       dragnet_opponent **opponent);

/* Creates another opponent, which goes on as this one would. On failure *copy is NULL. */
dragnet_status dragnet_opponent_copy(const dragnet_opponent *opponent, dragnet_opponent **copy);

/* Closes the handle of an opponent. The handle may be NULL. */
dragnet_status dragnet_opponent_close(dragnet_opponent *opponent);

/*
 * Chooses a move for the side to move and writes it with *count = 1; or writes *count = 0 if the position is
 * terminal or the side to move is stuck. To be called once for each turn, as every call draws lots and
 * remembers the position. Allocates nothing after some turns on a table whose blocks are in the cache. Fails
 * as the functions of "Questions to a pursuit table" do.
 */
dragnet_status dragnet_opponent_choose(dragnet_opponent *opponent, const dragnet_table *table,
                                       const dragnet_position *position, dragnet_move *chosen, size_t *count);

/*
 * Writes the number that continues the lots as a seed, for a saved game. What an opponent remembers whose
 * `reaction` is not 0 is not part of it.
 */
dragnet_status dragnet_opponent_state(const dragnet_opponent *opponent, uint64_t *state);

/*
 * Begins a new game with lots from `seed`. With the seed of dragnet_opponent_state it only forgets where the
 * enemy stood, as after moves were taken back.
 */
dragnet_status dragnet_opponent_restart(dragnet_opponent *opponent, uint64_t seed);

/* A share of wins that an opponent is to reach. All members but `side` and `share` may be 0. */
typedef struct dragnet_target {
    uint64_t seed;       /* the seed of all lots */
    dragnet_side side;   /* the side of the opponent */
    uint32_t share;      /* the share of games that it is to win, 0 to 1000 per mille */
    uint32_t games;      /* the number of games at each level that is tried, 1 to 100,000; 0 stands for 200 */
    dragnet_style style; /* the style of the opponent */
} dragnet_target;

/* A strength with the share of games that it wins. */
typedef struct dragnet_calibration {
    uint32_t level;            /* the level of the dial */
    dragnet_strength strength; /* the strength at that level */
    uint32_t games;            /* the games that were played at that level after it was chosen */
    uint32_t wins;             /* the games of these that were won */
    /* the least number of wins at any level that was tried, the weakest among them */
    uint32_t lowest;
    /* the greatest number of wins at any level that was tried, the strongest among them */
    uint32_t highest;
    int32_t reached;           /* 1 if the share of wins is within 100 per mille of the target, else 0 */
    double from;               /* the ends of the 95 % confidence interval of the share of wins, 0 to 1 */
    double to;
} dragnet_calibration;

/*
 * Finds the level at which an opponent wins a share of the games from `count` starts, by playing games at
 * some twelve levels, which takes seconds on a large table. `against` is the other side's player, which stays
 * as it is, or NULL for a perfect one. ARGUMENT: there is no start, a start is terminal, or a number of the
 * target is out of its range. Otherwise as the functions of "Questions to a pursuit table".
 */
dragnet_status dragnet_table_calibrate(const dragnet_table *table, const dragnet_position *starts, size_t count,
                                       const dragnet_target *wanted, const dragnet_opponent *against,
                                       dragnet_calibration *calibration);

/* The sums of the costs of one side's moves in a game. */
typedef struct dragnet_review {
    uint64_t moves;      /* the moves of the side */
    uint64_t errors;     /* the moves that were not the best */
    uint64_t blunders;   /* the moves that made the outcome worse */
    /* the steps of the outcome, from win to draw to loss, that all moves together lost */
    uint64_t drops;
    uint64_t plies_lost; /* the plies that all moves together lost without making the outcome worse */
} dragnet_review;

/* A move of a game with its cost. At most one of `drop` and `plies` is not 0. */
typedef struct dragnet_reviewed_move {
    uint64_t ply;        /* the index of the position before the move, from 0 */
    dragnet_move played; /* the move that was made */
    dragnet_move best;   /* the first of the best moves */
    uint32_t drop;       /* the steps of the outcome that the move lost */
    uint32_t plies;      /* the plies by which the move made a win longer or a loss shorter */
} dragnet_reviewed_move;

/*
 * Rates the moves of `side` in a game of `count` positions: its start and the position after each ply. Writes
 * the sums, and the first `capacity` moves of the side in their order, of which there are review->moves in
 * all. ARGUMENT: there is no position, or one does not follow from the one before by a legal move.
 */
dragnet_status dragnet_table_review(const dragnet_table *table, const dragnet_position *game, size_t count,
                                    dragnet_side side, dragnet_review *review, dragnet_reviewed_move *moves,
                                    size_t capacity);

/*
 * Writes the worst of `count` moves, the worst first: those that lost the most of the outcome, then the most
 * plies, then the earliest. *errors is the number of moves that cost anything, of which the first `capacity`
 * are written.
 */
dragnet_status dragnet_review_worst(const dragnet_reviewed_move *moves, size_t count, dragnet_reviewed_move *worst,
                                    size_t capacity, size_t *errors);

/* ---- Tablebases ---- */

/* A handle of an open tablebase: the pursuit tables of one or several folders. */
typedef struct dragnet_tablebase dragnet_tablebase;

/*
 * Opens `count` folders, and reads the header of each file in them whose name ends in .dtb. Subfolders are
 * not searched, and tables of other kinds are skipped. A file that is not a valid table is no error; see
 * dragnet_tablebase_unreadable_message. `open_tables` is the most tables that stay open without a handle; 0
 * stands for 64. On failure *tablebase is NULL. FILE: a folder cannot be read.
 */
dragnet_status dragnet_tablebase_open(const char *const *folders, size_t count, uint64_t open_tables,
                                      dragnet_tablebase **tablebase);

/* Closes a handle. The handle may be NULL. Handles of its tables stay valid. */
dragnet_status dragnet_tablebase_close(dragnet_tablebase *tablebase);

/*
 * Finds the table for the board, or the graph, and the rules of a TOML document such as dragnet_table_source
 * writes: for example "board = '''\nP..E\n..#T\n'''\nrules.thief.moves = 'king'". Start cells do not matter.
 * Writes a handle of the table, which must be closed. If several tables fit, the one in the folder named
 * first is taken. A table is opened, as the `path` of a dragnet_source, when it is first asked for. On
 * failure *table is NULL. MISSING: there is no such table. NOT_A_TABLE, VERSION, DAMAGED, FILE: the table
 * cannot be opened. ARGUMENT: the document cannot be read, or the rules cannot be played on the board.
 */
dragnet_status dragnet_tablebase_table(const dragnet_tablebase *tablebase, const char *source, dragnet_table **table);

/* The numbers of files in the folders of a tablebase. */
typedef struct dragnet_tablebase_info {
    uint64_t tables;
    uint64_t unreadable; /* files whose name ends in .dtb and whose header is invalid */
} dragnet_tablebase_info;

/* Writes the numbers of files. A missing table may be one of those that are unreadable. */
dragnet_status dragnet_tablebase_info_of(const dragnet_tablebase *tablebase, dragnet_tablebase_info *info);

/*
 * Writes the path of table number `index`, in the order of folders and then of names; see "Lists and texts"
 * above. ARGUMENT: there are not so many tables.
 */
dragnet_status dragnet_tablebase_path(const dragnet_tablebase *tablebase, size_t index, char *path, size_t capacity,
                                      size_t *length);

/*
 * Writes the error of invalid file number `index`, with the path of the file; see "Lists and texts" above.
 * ARGUMENT: there are not so many invalid files.
 */
dragnet_status dragnet_tablebase_unreadable_message(const dragnet_tablebase *tablebase, size_t index, char *message,
                                                    size_t capacity, size_t *length);

/* ---- Game tables ----
 *
 * A game table has the values of a game whose positions are numbered from 0, such as a game on a graph of
 * positions. It stores no moves; the caller supplies them. Functions named like those of pursuit tables fail
 * for the same reasons, and with POSITION if no position has the given number.
 */

/* The result of a position for the player to move. */
typedef int32_t dragnet_result;
enum { DRAGNET_DRAWN = 0, DRAGNET_WON = 1, DRAGNET_LOST = 2 };

/* The value of a position for the player to move. */
typedef struct dragnet_game_value {
    dragnet_result result;
    uint32_t dtw; /* in plies; DRAGNET_NO_DTW if the position is drawn */
} dragnet_game_value;

/* The properties of a game table. */
typedef struct dragnet_game_info {
    uint64_t positions;
    uint64_t won; /* positions won for the player to move */
    uint64_t lost;
    uint64_t drawn;
    uint32_t longest_win;  /* the greatest DTW of a won position, 0 if there is none */
    uint32_t longest_loss; /* the greatest DTW of a lost position, 0 if there is none */
    uint64_t key;          /* tells games apart; for a game on a graph see FORMAT.md */
    uint64_t digest;       /* the content digest: equal for tables with the same values */
    uint64_t file_length;  /* in bytes */
    uint64_t memory;       /* bytes of memory that the open table takes at most, without its file */
} dragnet_game_info;

/* Writes the properties of a table. This is cheap. */
dragnet_status dragnet_game_table_info(const dragnet_table *table, dragnet_game_info *info);

/* Writes the name of the game, for people, of at most 255 bytes; see "Lists and texts" above. */
dragnet_status dragnet_game_table_name(const dragnet_table *table, char *name, size_t capacity, size_t *length);

/* Writes the value of a position. */
dragnet_status dragnet_game_table_value(const dragnet_table *table, uint64_t position, dragnet_game_value *value);

/* Writes the values of `count` positions, in the same order, like dragnet_table_values. */
dragnet_status dragnet_game_table_values(const dragnet_table *table, const uint64_t *positions, size_t count,
                                         dragnet_game_value *values, size_t *failed);

/*
 * Writes the index of the successor that is best for the player who moves: a quick win, a slow win, a draw, a
 * slow loss, a quick loss; the first of equally good ones; `count` if `count` is 0. In each successor the
 * opponent must be to move, since the table does not know whose turn it is.
 */
dragnet_status dragnet_game_table_best(const dragnet_table *table, const uint64_t *successors, size_t count,
                                       size_t *best);

/* ---- Partial tables ----
 *
 * A partial table, which `dragnet pack --keep` makes, keeps a part of what a pursuit table knows, in less
 * space: who wins each position, or a best move of each position of one side. What it does not keep is KIND.
 * Functions named like those of pursuit tables fail for the same reasons.
 */

/* What a partial table keeps. */
enum { DRAGNET_KEEPS_OUTCOMES = 0, DRAGNET_KEEPS_MOVES_OF_POLICE = 1, DRAGNET_KEEPS_MOVES_OF_THIEF = 2 };

/* Writes what the table keeps, DRAGNET_KEEPS_… */
dragnet_status dragnet_partial_table_keeps(const dragnet_table *table, int32_t *keeps);

/*
 * Writes who wins a position if both sides play perfectly, a dragnet_side. A draw counts for the side that is
 * said to win it, if there is one. KIND: the table keeps moves.
 */
dragnet_status dragnet_partial_table_outcome(const dragnet_table *table, const dragnet_position *position,
                                             int32_t *outcome);

/*
 * Writes the position after a best move of the side to move, and *count = 1; or *count = 0 if the position is
 * terminal or the side to move is stuck. KIND: the table keeps something else.
 */
dragnet_status dragnet_partial_table_best_move(const dragnet_table *table, const dragnet_position *position,
                                               dragnet_position *after, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
