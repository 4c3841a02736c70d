/*
 * Dragnet asks endgame tablebases for pursuit games: who wins a position of policeman against thief, in how many
 * plies, and with which move.
 *
 *     #include <dragnet.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         dragnet_table *table;
 *         if (dragnet_table_open("yard.dtb", NULL, &table) != DRAGNET_OK) {
 *             fprintf(stderr, "%s\n", dragnet_last_error());
 *             return 1;
 *         }
 *         dragnet_position position = {.police = {{7, 1}}, .thief = {5, 10}, .turn = DRAGNET_POLICE};
 *         dragnet_value value;
 *         if (dragnet_table_value(table, &position, &value) == DRAGNET_OK && value.outcome == DRAGNET_THIEF) {
 *             printf("the thief wins in %u plies\n", (unsigned)value.dtw);
 *         }
 *         dragnet_table_close(table);
 *         return 0;
 *     }
 *
 * Words. The police, one officer or several, and the thief move in turn; one move of one side is a ply. A position
 * is where all stand and who is to move. Its value is its outcome and its DTW, the distance to win: the number of
 * plies until the win, where the winner takes the quickest way and the loser the slowest. A draw has none. Rows and
 * columns count from 0, row 0 on top. A board may be a graph instead: then vertex v is the cell in row 0 and column
 * v, and the pieces move along its edges.
 *
 * Errors. Every function but the three that return text returns a status: DRAGNET_OK, or why it failed, and then
 * dragnet_last_error() says more. A function that fails writes nothing but what its description says. NULL where it
 * is not allowed, pointers that are not aligned and numbers that mean nothing are DRAGNET_ERROR_ARGUMENT. A damaged
 * table is DRAGNET_ERROR_DAMAGED, never a wrong answer.
 *
 * Pointers. An argument that is const is read only during the call, unless the description says otherwise. What a
 * function writes to must not overlap anything else that it is given. All memory that is written to is the
 * caller's; the library hands out none but handles. A pointer to an array of which 0 elements are asked for may be
 * NULL.
 *
 * Lists and texts are copied to a buffer of the caller with room for `capacity` elements. The function tells how
 * many there are, whether or not there was room; so a capacity of 0 and the buffer NULL ask for the number alone.
 * Of a list the first `capacity` elements are written. Of a text as many bytes are written as leave room for a NUL,
 * which follows; the length that is told does not count it.
 *
 * Handles. Tables and tablebases are counted: every handle that a function writes is to be closed once, and the
 * last to be closed frees the memory. Handles do not depend on each other. A handle must not be used after it has
 * been closed.
 *
 * Threads. All functions may be called from all threads, with the same handle too; no handle needs a lock. A handle
 * must be closed after the other calls with it have returned; a thread that may outlive the handle of another takes
 * one of its own with a clone function.
 *
 * Texts are UTF-8. Paths are any bytes on Unix, and UTF-8 elsewhere.
 *
 * Enumerations are integers of 32 bits (squares of 8), so that structures have the same layout everywhere.
 * Structures have no padding.
 */
#ifndef DRAGNET_H
#define DRAGNET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of the interface that this header describes, as that of the library. A program for 0.1.0 works with
 * every 0.1.x.
 */
#define DRAGNET_VERSION "0.1.0"

/* ---- Statuses ---- */

/* How a call has ended. Later versions may add numbers, and change none. */
typedef int32_t dragnet_status;
enum {
    DRAGNET_OK = 0,
    /*
     * An argument cannot be: NULL, a number that means nothing, rules that cannot be played, an index beyond the
     * end.
     */
    DRAGNET_ERROR_ARGUMENT = 1,
    /* A file or a folder is missing or cannot be read. */
    DRAGNET_ERROR_FILE = 2,
    /* The file is something else than a table. */
    DRAGNET_ERROR_NOT_A_TABLE = 3,
    /* The table has a format version that this library does not know. */
    DRAGNET_ERROR_VERSION = 4,
    /* The table is cut short or has been altered, or says something impossible. */
    DRAGNET_ERROR_DAMAGED = 5,
    /*
     * A piece stands off the board or on a wall, there are more or fewer officers than the table has, or no position
     * has this number.
     */
    DRAGNET_ERROR_POSITION = 6,
    /* The tablebase has no table for this board and these rules. */
    DRAGNET_ERROR_MISSING = 7,
    /*
     * The system refuses memory for bytes or positions, or for a map. For want of memory elsewhere the process
     * ends.
     */
    DRAGNET_ERROR_MEMORY = 8,
    /*
     * A mistake in the library itself, which has also been described on standard error. Please report it. Handles
     * stay valid.
     */
    DRAGNET_ERROR_PANIC = 9,
    /* The table is of the other kind: dragnet_table_open is for pursuit games, dragnet_game_table_open for others. */
    DRAGNET_ERROR_KIND = 10
};

/*
 * The message of the last call that failed in this thread: one line that says what was expected and what was found.
 * Empty before the first one. It stays until the next call that fails in this thread, or the thread's end; calls
 * that succeed leave it alone. Never NULL, and not to be freed.
 */
const char *dragnet_last_error(void);

/* The name of a status, for example "DRAGNET_ERROR_FILE", or "unknown". Static. */
const char *dragnet_status_name(int32_t status);

/* The version of the library that is linked, for example "0.1.0". Static. */
const char *dragnet_version(void);

/* ---- Positions and values ---- */

/* A side, or who wins. */
typedef int32_t dragnet_side;
enum {
    DRAGNET_NOBODY = 0, /* as an outcome: a draw */
    DRAGNET_DRAW = 0,   /* the same */
    DRAGNET_POLICE = 1,
    DRAGNET_THIEF = 2
};

/* The most officers of a position. */
#define DRAGNET_MAX_OFFICERS 6

/* A place on the board. */
typedef struct dragnet_cell {
    uint16_t row;
    uint16_t col;
} dragnet_cell;

/*
 * Where all pieces stand and who is to move, DRAGNET_POLICE or DRAGNET_THIEF. Of the police the first `officers`
 * cells count; the others are not read. Nobody can tell the officers apart: their order does not matter, and several
 * may stand on one cell. `officers` of 0 is one officer, so that who leaves it out asks for one.
 */
typedef struct dragnet_position {
    dragnet_cell police[DRAGNET_MAX_OFFICERS];
    dragnet_cell thief;
    dragnet_side turn;
    int32_t officers; /* as many as the table has; 0 is 1 */
} dragnet_position;

/* The DTW of a draw. */
#define DRAGNET_NO_DTW UINT32_MAX

/* Who wins a position, and in how many plies. */
typedef struct dragnet_value {
    dragnet_side outcome;
    uint32_t dtw;
} dragnet_value;

/*
 * A move of `side`, and the value of the position after it: a win in n plies then is one in n + 1 now. `to` is where
 * the side's pieces stand after the move: to[0] of the thief or of a single officer; the first `count` cells of all
 * officers, those too that have not moved, in reading order. The cells from `count` on are 0,0.
 */
typedef struct dragnet_move {
    dragnet_side side;
    int32_t count; /* 1, or the number of officers */
    dragnet_cell to[DRAGNET_MAX_OFFICERS];
    dragnet_value value;
} dragnet_move;

/* ---- Rules ---- */

/* The steps of a side. */
typedef int32_t dragnet_moves;
enum {
    DRAGNET_MOVES_KING = 0,       /* the 8 neighbours */
    DRAGNET_MOVES_ORTHOGONAL = 1, /* the 4 neighbours in row and column */
    DRAGNET_MOVES_DIAGONAL = 2,   /* the 4 diagonal neighbours */
    DRAGNET_MOVES_KNIGHT = 3,     /* a chess knight's 8 leaps */
    DRAGNET_MOVES_OFFSETS = 4,    /* the offsets listed */
    DRAGNET_MOVES_EDGES = 5       /* along the edges of a graph: on boards that are graphs, and there alone */
};

/* Which opposite edges of the board are joined. */
typedef int32_t dragnet_wrap;
enum {
    DRAGNET_WRAP_NONE = 0,
    DRAGNET_WRAP_HORIZONTAL = 1, /* left and right */
    DRAGNET_WRAP_VERTICAL = 2,   /* top and bottom */
    DRAGNET_WRAP_BOTH = 3
};

/* What happens to the side to move that has no move. */
typedef int32_t dragnet_stuck;
enum { DRAGNET_STUCK_LOSES = 0, DRAGNET_STUCK_WINS = 1 };

/* How many officers move in one turn. */
typedef int32_t dragnet_team;
enum { DRAGNET_TEAM_ALL = 0, DRAGNET_TEAM_ONE = 1 };

/* What exits are to the police. */
typedef int32_t dragnet_police_on_exit;
enum {
    DRAGNET_POLICE_ON_EXIT_ALLOWED = 0, /* open cells */
    DRAGNET_POLICE_ON_EXIT_BARRED = 1,  /* no officer may step on one */
    DRAGNET_POLICE_ON_EXIT_WINS = 2     /* the goal: with an officer on one, and the thief not, the police has won */
};

/* The most offsets of a side. */
#define DRAGNET_MAX_OFFSETS 255

/* A step. */
typedef struct dragnet_offset {
    int16_t rows; /* down */
    int16_t cols; /* to the right */
} dragnet_offset;

/*
 * How one side moves. The library fills in the offsets of every set of moves; it reads them only if `moves` is
 * DRAGNET_MOVES_OFFSETS. Two lists in different order are different rules.
 */
typedef struct dragnet_movement {
    dragnet_moves moves;
    int32_t may_pass; /* 0 or 1: whether staying is a move */
    /*
     * Up to how many steps make a turn, 1 to 255. Each is a legal step. No piece is in the way of another: whom a piece
     * steps over is not caught, and an exit that is left again is no escape.
     */
    int32_t steps;
    /*
     * Up to how many times a step may be taken in its direction, 1 to 255: a king's step with a reach of 7 is a
     * queen's on a chess board. All squares on the way must be open. 1 on a graph.
     */
    int32_t reach;
    uint32_t offset_count;
    dragnet_offset offsets[DRAGNET_MAX_OFFSETS];
} dragnet_movement;

/* How a game is played. */
typedef struct dragnet_rules {
    dragnet_movement police;
    dragnet_movement thief;
    int32_t officers;       /* 1 to DRAGNET_MAX_OFFICERS */
    int32_t corner_cutting; /* 0 or 1: whether a diagonal step may pass a wall */
    dragnet_wrap wrap;      /* DRAGNET_WRAP_NONE on a graph */
    dragnet_stuck stuck;
    dragnet_team team; /* of no meaning for one officer */
    dragnet_police_on_exit police_on_exit;
    /*
     * Whose win it is, DRAGNET_POLICE or DRAGNET_THIEF, if nobody can force one; DRAGNET_NOBODY if it is a draw.
     * It changes no value: a position that nobody can win has the outcome DRAGNET_DRAW.
     */
    dragnet_side undecided;
} dragnet_rules;

/*
 * The rules of a preset: "classic" (officer like a king, thief in row and column, either may pass), "chase" (both
 * like a king, no corner cutting) or "cops" (both along the edges of a graph, either may pass). For rules of your
 * own, begin with one and change what differs.
 * ARGUMENT: there is no such preset.
 */
dragnet_status dragnet_rules_preset(const char *name, dragnet_rules *rules);

/* ---- Opening a table ---- */

/* A table, open to be asked. */
typedef struct dragnet_table dragnet_table;

/* In which order a table's file will be read. */
typedef int32_t dragnet_access;
enum {
    DRAGNET_ACCESS_RANDOM = 0, /* a block here and a block there: nothing is read from the disk that is not asked for */
    DRAGNET_ACCESS_WHOLE = 1   /* from beginning to end: the disk may read ahead */
};

/* How a table is opened. Have it filled by dragnet_options_init, then change what you want. */
typedef struct dragnet_options {
    /* Most bytes of unzipped blocks that are kept, 16 MiB by default; tables that favour speed need none. */
    uint64_t cache_bytes;
    dragnet_access access; /* DRAGNET_ACCESS_RANDOM by default */
    uint32_t reserved;     /* 0 */
} dragnet_options;

/* Fills in the defaults, with which a table is opened if `options` is NULL. */
dragnet_status dragnet_options_init(dragnet_options *options);

/*
 * Opens a file as a memory map: cheap however large it is, and processes share its memory. The file must not be
 * changed or cut short while a handle is open, or the process may be ended by the system; to replace it by renaming
 * another over it is fine. Where that cannot be promised, use dragnet_table_read. `options` may be NULL. On failure
 * *table is NULL.
 * FILE, NOT_A_TABLE, VERSION, KIND, DAMAGED (as far as the header and the length tell), ARGUMENT, MEMORY.
 */
dragnet_status dragnet_table_open(const char *path, const dragnet_options *options, dragnet_table **table);

/* As dragnet_table_open, but reads the file into memory, so that it may change or vanish afterwards. */
dragnet_status dragnet_table_read(const char *path, const dragnet_options *options, dragnet_table **table);

/* The table in these bytes, which are copied. Otherwise as dragnet_table_open. */
dragnet_status dragnet_table_from_bytes(const uint8_t *bytes, size_t length, const dragnet_options *options,
                                        dragnet_table **table);

/*
 * The table in these bytes, which are not copied: they must stay as they are until the last handle for this table
 * is closed, static data for example. Otherwise as dragnet_table_open.
 */
dragnet_status dragnet_table_from_kept_bytes(const uint8_t *bytes, size_t length, const dragnet_options *options,
                                             dragnet_table **table);

/* Another handle for the same table, to be closed too. On failure *clone is NULL. */
dragnet_status dragnet_table_clone(const dragnet_table *table, dragnet_table **clone);

/* Closes a handle. NULL is fine. */
dragnet_status dragnet_table_close(dragnet_table *table);

/* ---- What a table says as a whole ---- */

/* How many positions each outcome has. */
typedef struct dragnet_counts {
    uint64_t police;
    uint64_t thief;
    uint64_t draw;
} dragnet_counts;

typedef struct dragnet_info {
    uint32_t height; /* rows of the board */
    uint32_t width;  /* columns of the board */
    uint64_t open_cells;
    uint64_t positions; /* both sides to move: of one officer twice the square of the open cells */
    dragnet_counts police_to_move;
    dragnet_counts thief_to_move;
    uint32_t longest_police; /* greatest DTW of a win of the police, 0 if there is none */
    uint32_t longest_thief;
    uint64_t digest;      /* equal for tables that say the same, however they are stored */
    uint64_t file_length; /* bytes */
    uint64_t memory;      /* bytes that the open table takes beside its file and its cache */
} dragnet_info;

/* Size, counts, longest wins, digest. Cheap. */
dragnet_status dragnet_table_info(const dragnet_table *table, dragnet_info *info);

/* What stands in one place of the board. */
enum {
    DRAGNET_SQUARE_WALL = 0,
    DRAGNET_SQUARE_OPEN = 1,
    DRAGNET_SQUARE_EXIT = 2 /* open, and the thief who stands here alone has escaped */
};

/*
 * The squares of the board in reading order, height * width of them: see "Lists and texts" above. Those of a graph are
 * its vertices in a single row, and none is a wall.
 */
dragnet_status dragnet_table_squares(const dragnet_table *table, uint8_t *squares, size_t capacity, size_t *count);

/* An edge of a graph: one may move from one vertex to the other, but not back unless there is an edge for that too. */
typedef struct dragnet_edge {
    uint16_t from;
    uint16_t to;
} dragnet_edge;

/*
 * The edges of the graph that the board is, vertex after vertex, rising, without any from a vertex to itself; see
 * "Lists and texts" above. None if it is a board of squares: then no side's `moves` are DRAGNET_MOVES_EDGES.
 */
dragnet_status dragnet_table_edges(const dragnet_table *table, dragnet_edge *edges, size_t capacity, size_t *count);

/* The rules. */
dragnet_status dragnet_table_rules(const dragnet_table *table, dragnet_rules *rules);

/*
 * Checks every checksum and all that can be checked without solving. Reads the whole file.
 * DAMAGED: the first damage found.
 */
dragnet_status dragnet_table_verify(const dragnet_table *table);

/* ---- Asking a table ----
 *
 * All of these: POSITION if a piece stands off the board or on a wall or the table has another number of officers,
 * DAMAGED if a block that is needed is damaged, ARGUMENT if `turn` is no side or `officers` is above
 * DRAGNET_MAX_OFFICERS or below 0.
 */

/* The value of a position. */
dragnet_status dragnet_table_value(const dragnet_table *table, const dragnet_position *position, dragnet_value *value);

/*
 * The values of `count` positions, in their order. Much quicker than single questions for tables that favour size,
 * since each block is unzipped once. Takes some 60 bytes of memory per position during the call. On failure nothing
 * is written to `values`, and *failed is the index of the first position found to have no answer, or `count` if
 * none is to blame; `failed` may be NULL.
 * MEMORY too.
 */
dragnet_status dragnet_table_values(const dragnet_table *table, const dragnet_position *positions, size_t count,
                                    dragnet_value *values, size_t *failed);

/*
 * Every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals in reading order.
 * None if the game is over or the side to move is stuck. See "Lists and texts" above; a single piece that makes one
 * step without reach has at most DRAGNET_MAX_OFFSETS + 1 moves on squares, with the presets 9. Several officers who
 * all move may have as many as the product of the moves of each.
 */
dragnet_status dragnet_table_moves(const dragnet_table *table, const dragnet_position *position, dragnet_move *moves,
                                   size_t capacity, size_t *count);

/*
 * Optimal play from a position to the end; of equally good moves the first in reading order. As many moves as the
 * DTW, so that a buffer for a won position needs no guess; a draw is played until a position repeats. *winner is
 * who has won in the end, DRAGNET_NOBODY after a repetition; `winner` may be NULL. See "Lists and texts" above; the
 * line is found anew by every call.
 */
dragnet_status dragnet_table_line(const dragnet_table *table, const dragnet_position *position, dragnet_move *moves,
                                  size_t capacity, size_t *count, dragnet_side *winner);

/*
 * Who has won the position without a move: the police with an officer on the thief's cell, else the thief on an
 * exit, else the police on one if `police_on_exit` is DRAGNET_POLICE_ON_EXIT_WINS.
 * DRAGNET_NOBODY if the game goes on, or ends because the side to move is stuck: then the DTW is 0.
 */
dragnet_status dragnet_table_winner(const dragnet_table *table, const dragnet_position *position, dragnet_side *winner);

/* ---- Tablebases ---- */

/* Folders of tables, opened as one. */
typedef struct dragnet_tablebase dragnet_tablebase;

/* How a tablebase is opened. Have it filled by dragnet_tablebase_options_init, then change what you want. */
typedef struct dragnet_tablebase_options {
    dragnet_options table; /* how each table is opened; each has a cache of its own */
    uint64_t open_tables;  /* most tables that stay open when nobody holds a handle, 64 by default, at least 1 */
} dragnet_tablebase_options;

/* Fills in the defaults, with which a tablebase is opened if `options` is NULL. */
dragnet_status dragnet_tablebase_options_init(dragnet_tablebase_options *options);

/*
 * The tables in `count` folders: all files in them that end in .dtb, not those in folders below; tables of positions by
 * number are passed over. Reads their headers. A file that is no whole table is no error here: see dragnet_tablebase_unreadable. `options` may be NULL.
 * On failure *tablebase is NULL.
 * FILE: a folder cannot be read.
 */
dragnet_status dragnet_tablebase_open(const char *const *folders, size_t count,
                                      const dragnet_tablebase_options *options, dragnet_tablebase **tablebase);

/* Another handle for the same tablebase, to be closed too. On failure *clone is NULL. */
dragnet_status dragnet_tablebase_clone(const dragnet_tablebase *tablebase, dragnet_tablebase **clone);

/* Closes a handle. NULL is fine. Tables that it gave stay open as long as their own handles. */
dragnet_status dragnet_tablebase_close(dragnet_tablebase *tablebase);

/*
 * The table for a board, as height * width squares in reading order, with its exits, and rules; of several the one
 * in the folder that was named first. A table is opened, as a memory map, when it is first asked for. *table is a
 * handle to be closed; on failure it is NULL.
 * MISSING: there is none. NOT_A_TABLE, VERSION, DAMAGED, FILE: there is one, and it cannot be opened. ARGUMENT:
 * height, width or a square cannot be, or the rules cannot be played.
 */
dragnet_status dragnet_tablebase_table(const dragnet_tablebase *tablebase, uint32_t height, uint32_t width,
                                       const uint8_t *squares, const dragnet_rules *rules, dragnet_table **table);

/*
 * The table for a graph, as its vertices, which are squares without a wall, and its edges in any order, and rules.
 * Of equal edges one counts, and none from a vertex to itself. Otherwise as dragnet_tablebase_table.
 */
dragnet_status dragnet_tablebase_table_of_graph(const dragnet_tablebase *tablebase, uint32_t vertices,
                                                const uint8_t *squares, const dragnet_edge *edges, size_t edge_count,
                                                const dragnet_rules *rules, dragnet_table **table);

/* How many tables there are. */
dragnet_status dragnet_tablebase_tables(const dragnet_tablebase *tablebase, size_t *count);

/*
 * The path of table number `index`, folder by folder, by name; see "Lists and texts" above. ARGUMENT: there is no
 * such number.
 */
dragnet_status dragnet_tablebase_path(const dragnet_tablebase *tablebase, size_t index, char *path, size_t capacity,
                                      size_t *length);

/* How many files end in .dtb and have no readable header. A table that is missing may be one of them. */
dragnet_status dragnet_tablebase_unreadable(const dragnet_tablebase *tablebase, size_t *count);

/*
 * What is wrong with file number `index` of these, with its path; see "Lists and texts" above. ARGUMENT: there is
 * no such number.
 */
dragnet_status dragnet_tablebase_unreadable_message(const dragnet_tablebase *tablebase, size_t index, char *message,
                                                    size_t capacity, size_t *length);

/* ---- Tables of positions by number ----
 *
 * A game on a graph, or any other that somebody has solved and whose positions he has numbered from 0. The table knows
 * the value of each position, not the moves, which whoever asks knows himself. Functions of the same name mean the same
 * as for a dragnet_table, and fail for the same reasons; POSITION if no position has the number asked for.
 */

/* A table of positions by number, open to be asked. */
typedef struct dragnet_game_table dragnet_game_table;

/* How a position ends for the player who is to move in it. */
typedef int32_t dragnet_result;
enum { DRAGNET_DRAWN = 0, DRAGNET_WON = 1, DRAGNET_LOST = 2 };

/* How a position ends for the player who is to move in it, and in how many plies. */
typedef struct dragnet_game_value {
    dragnet_result result;
    uint32_t dtw; /* DRAGNET_NO_DTW if it is drawn */
} dragnet_game_value;

typedef struct dragnet_game_info {
    uint64_t positions;
    uint64_t won; /* for the player to move */
    uint64_t lost;
    uint64_t drawn;
    uint32_t longest_win; /* greatest DTW of a won position, 0 if there is none */
    uint32_t longest_loss;
    uint64_t key;         /* tells games apart; for a game on a graph a sum over its edges, see FORMAT.md */
    uint64_t digest;      /* equal for tables that say the same, however they are stored */
    uint64_t file_length; /* bytes */
    uint64_t memory;      /* bytes that the open table takes beside its file and its cache */
} dragnet_game_info;

/* Opens a file as a memory map. */
dragnet_status dragnet_game_table_open(const char *path, const dragnet_options *options, dragnet_game_table **table);

/* Reads a file into memory. */
dragnet_status dragnet_game_table_read(const char *path, const dragnet_options *options, dragnet_game_table **table);

/* The table in these bytes, which are copied. */
dragnet_status dragnet_game_table_from_bytes(const uint8_t *bytes, size_t length, const dragnet_options *options,
                                             dragnet_game_table **table);

/* The table in these bytes, which must stay as they are until its last handle is closed. */
dragnet_status dragnet_game_table_from_kept_bytes(const uint8_t *bytes, size_t length, const dragnet_options *options,
                                                  dragnet_game_table **table);

/* Another handle for the same table, to be closed too. */
dragnet_status dragnet_game_table_clone(const dragnet_game_table *table, dragnet_game_table **clone);

/* Closes a handle. NULL is fine. */
dragnet_status dragnet_game_table_close(dragnet_game_table *table);

/* Counts, longest distances, key, digest. Cheap. */
dragnet_status dragnet_game_table_info(const dragnet_game_table *table, dragnet_game_info *info);

/* What game it is, for people; at most 255 bytes. See "Lists and texts" above. */
dragnet_status dragnet_game_table_name(const dragnet_game_table *table, char *name, size_t capacity, size_t *length);

/* Checks every checksum and all that can be checked without the game. Reads the whole file. */
dragnet_status dragnet_game_table_verify(const dragnet_game_table *table);

/* The value of a position. */
dragnet_status dragnet_game_table_value(const dragnet_game_table *table, uint64_t position, dragnet_game_value *value);

/* The values of `count` positions, in their order; as dragnet_table_values. */
dragnet_status dragnet_game_table_values(const dragnet_game_table *table, const uint64_t *positions, size_t count,
                                         dragnet_game_value *values, size_t *failed);

/*
 * Of the positions that a player's moves lead to the best for him: a quick win, a slow win, a draw, a slow loss, a
 * quick loss. The table does not know who is to move: each of these moves must pass the turn. *best is its index, the
 * first of equals, or `count` if `count` is 0.
 */
dragnet_status dragnet_game_table_best(const dragnet_game_table *table, const uint64_t *successors, size_t count,
                                       size_t *best);

#ifdef __cplusplus
}
#endif

#endif
