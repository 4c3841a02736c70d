/*
 * Checks opponents, calibrations and reviews against the games of probe/tests/opponent/vectors.txt, and every
 * call about them that must fail. Usage: opponent VECTORS FOLDER, where FOLDER has the tables.
 */
#include "vectors.h"

#define ARGUMENT(call, words) FAILS(call, DRAGNET_ERROR_ARGUMENT, words)

/* The number by which the state of an opponent grows with each of the three lots of a turn. */
#define LOT UINT64_C(0x9E3779B97F4A7C15)

static dragnet_position game[MOST_PLIES];
static size_t plies;

static void play(const dragnet_table *table, const char *at) {
    struct described_opponent sides[2];
    dragnet_opponent *players[2], *copy;
    uint64_t turns[2] = {0, 0}, state;
    for (int i = 0; i < 2; i++) {
        sides[i] = scan_opponent(&at);
        CHECK(skip(&at, "|"));
        CALL(dragnet_opponent_create(&sides[i].strength, &sides[i].style, sides[i].seed, &players[i]));
    }
    game[0] = scan_position(&at);
    CHECK(skip(&at, ":"));
    for (plies = 0; !skip(&at, "="); plies++) {
        CHECK(plies + 1 < MOST_PLIES);
        const dragnet_position here = game[plies];
        const int mover = here.turn == DRAGNET_THIEF;
        dragnet_cell cells[DRAGNET_MAX_OFFICERS];
        dragnet_move chosen, again;
        size_t count;
        const int pieces = scan_cells(&at, cells);
        CALL(dragnet_opponent_copy(players[mover], &copy));
        CALL(dragnet_opponent_choose(players[mover], table, &here, &chosen, &count));
        CHECK(count == 1 && chosen.side == here.turn && chosen.count == pieces);
        CHECK(memcmp(chosen.to, cells, (size_t)pieces * sizeof *cells) == 0);
        /* A copy chooses the same move, and leaves the original as it is. */
        CALL(dragnet_opponent_choose(copy, table, &here, &again, &count));
        CHECK(count == 1 && memcmp(&again, &chosen, sizeof again) == 0);
        CALL(dragnet_opponent_close(copy));
        CALL(dragnet_opponent_state(players[mover], &state));
        CHECK(state == sides[mover].seed + ++turns[mover] * 3 * LOT);
        game[plies + 1] = after(here, &chosen);
    }
    for (int i = 0; i < 2; i++) CALL(dragnet_opponent_close(players[i]));
}

/* Rates the game that was played last. */
static void rate(const dragnet_table *table, const char *at) {
    const dragnet_side side = scan_side(&at);
    static dragnet_reviewed_move moves[MOST_PLIES];
    dragnet_reviewed_move worst[4];
    dragnet_review review;
    size_t errors;
    CHECK(skip(&at, ":"));
    CALL(dragnet_table_review(table, game, plies + 1, side, &review, moves, MOST_PLIES));
    CHECK(review.moves == scan_number(&at) && review.errors == scan_number(&at));
    CHECK(review.blunders == scan_number(&at) && review.drops == scan_number(&at));
    CHECK(review.plies_lost == scan_number(&at) && skip(&at, "|"));
    uint64_t lost = 0;
    for (size_t i = 0; i < review.moves; i++) {
        CHECK(moves[i].played.side == side && game[moves[i].ply].turn == side);
        lost += moves[i].plies;
    }
    CHECK(lost == review.plies_lost);
    memset(worst, 0x77, sizeof worst);
    CALL(dragnet_review_worst(moves, (size_t)review.moves, worst, 3, &errors));
    CHECK(errors == review.errors && worst[3].ply == UINT64_C(0x7777777777777777));
    for (size_t i = 0; i < 3 && i < errors; i++) CHECK(worst[i].ply == scan_number(&at));
    CHECK(*at == '\n' || *at == '\0' || skip(&at, "\n"));
}

static void calibrate(const dragnet_table *table, const char *at) {
    dragnet_target target = {0};
    dragnet_calibration found;
    dragnet_strength strength;
    dragnet_opponent *against;
    dragnet_position starts[8];
    size_t count = 0;
    const dragnet_side side = scan_side(&at);
    target.side = side;
    target.share = (uint32_t)scan_number(&at);
    target.games = (uint32_t)scan_number(&at);
    target.seed = scan_number(&at);
    target.style = scan_style(&at);
    CHECK(skip(&at, "|"));
    const struct described_opponent other = scan_opponent(&at);
    CALL(dragnet_opponent_create(&other.strength, &other.style, 5, &against));
    while (skip(&at, "|")) starts[count++] = scan_position(&at);
    CHECK(skip(&at, ":"));
    CALL(dragnet_table_calibrate(table, starts, count, &target, against, &found));
    CHECK(found.level == scan_number(&at) && found.wins == scan_number(&at));
    CHECK(found.lowest == scan_number(&at) && found.highest == scan_number(&at));
    CHECK(skip(&at, found.reached == 1 ? "reached" : "missed"));
    const double from = scan_share(&at), to = scan_share(&at);
    CHECK(found.from == from && found.to == to);
    CHECK(found.games == target.games);
    CALL(dragnet_strength_level(found.level, &strength));
    CHECK(memcmp(&strength, &found.strength, sizeof strength) == 0);
    CALL(dragnet_opponent_close(against));
}

static void strengths(void) {
    dragnet_strength strength;
    CALL(dragnet_strength_preset("easy", &strength));
    CHECK(strength.errors == 350 && strength.blunders == 500 && strength.plies == 24 && strength.drop == 2);
    CHECK(strength.horizon == 12 && strength.reaction == 1);
    ARGUMENT(dragnet_strength_preset("evil", &strength), "or perfect, found \"evil\"");
    ARGUMENT(dragnet_strength_preset(NULL, &strength), "name is NULL");
    ARGUMENT(dragnet_strength_level(1001, &strength), "expected the level from 0 to 1000, found 1001");
    ARGUMENT(dragnet_strength_level(70000, &strength), "expected the level from 0 to 1000, found 70000");
    CALL(dragnet_strength_level(DRAGNET_MAX_LEVEL, &strength));
    CHECK(strength.errors == 0 && strength.horizon == DRAGNET_UNLIMITED);
}

static void failures(const dragnet_table *table, dragnet_position at) {
    dragnet_strength right, strength;
    dragnet_style style;
    dragnet_opponent *opponent = (dragnet_opponent *)&opponent;
    dragnet_move chosen;
    dragnet_position wall = at;
    size_t count = 77;
    CALL(dragnet_strength_preset("hard", &right));
#define WRONG(field, number, words)                                                \
    do {                                                                           \
        strength = right;                                                          \
        strength.field = number;                                                   \
        ARGUMENT(dragnet_opponent_create(&strength, NULL, 1, &opponent), words);   \
        CHECK(opponent == NULL);                                                   \
    } while (0)
    WRONG(errors, 1001, "expected errors from 0 to 1000, found 1001");
    WRONG(errors, 70000, "expected errors from 0 to 1000, found 70000");
    WRONG(blunders, 70000, "expected blunders from 0 to 1000, found 70000");
    WRONG(plies, DRAGNET_UNLIMITED + 1, "expected plies from 0 to 1073741823, found 1073741824");
    WRONG(drop, 256, "expected drop from 0 to 2, found 256");
    WRONG(horizon, UINT32_MAX, "expected horizon from 0 to");
    WRONG(reaction, 9, "expected reaction from 0 to 8, found 9");
    WRONG(reaction, 256, "expected reaction from 0 to 8, found 256");
    style.kind = DRAGNET_STYLE_TRICKIEST_AGAINST;
    style.replier = strength;
    ARGUMENT(dragnet_opponent_create(&right, &style, 1, &opponent), "expected reaction from 0 to 8, found 256");
    style.kind = 3;
    ARGUMENT(dragnet_opponent_create(&right, &style, 1, &opponent), "kind: expected a style, 0 to 2, found 3");
    ARGUMENT(dragnet_opponent_create(NULL, NULL, 1, &opponent), "strength is NULL");
    ARGUMENT(dragnet_opponent_create(&right, NULL, 1, NULL), "opponent is NULL");
    ARGUMENT(dragnet_opponent_copy(NULL, &opponent), "opponent is NULL");
    CALL(dragnet_opponent_close(NULL));
    CALL(dragnet_opponent_create(&right, NULL, 1, &opponent));
    ARGUMENT(dragnet_opponent_choose(NULL, table, &at, &chosen, &count), "opponent is NULL");
    ARGUMENT(dragnet_opponent_choose(opponent, NULL, &at, &chosen, &count), "table is NULL");
    ARGUMENT(dragnet_opponent_choose(opponent, table, NULL, &chosen, &count), "position is NULL");
    ARGUMENT(dragnet_opponent_choose(opponent, table, &at, NULL, &count), "chosen is NULL");
    ARGUMENT(dragnet_opponent_choose(opponent, table, &at, &chosen, NULL), "count is NULL");
    wall.thief.row = 9999;
    FAILS(dragnet_opponent_choose(opponent, table, &wall, &chosen, &count), DRAGNET_ERROR_POSITION, "9999");
    CHECK(count == 77);
    wall.thief = wall.police[0];
    CALL(dragnet_opponent_choose(opponent, table, &wall, &chosen, &count));
    CHECK(count == 0);
    /* None of these calls took a turn, and a new game begins with the lots of its seed. */
    uint64_t state;
    CALL(dragnet_opponent_state(opponent, &state));
    CHECK(state == 1);
    CALL(dragnet_opponent_restart(opponent, 9));
    CALL(dragnet_opponent_state(opponent, &state));
    CHECK(state == 9);
    ARGUMENT(dragnet_opponent_state(opponent, NULL), "state is NULL");
    ARGUMENT(dragnet_opponent_restart(NULL, 9), "opponent is NULL");

    dragnet_target target = {.side = DRAGNET_THIEF, .share = 1001};
    dragnet_calibration found;
#define CALIBRATE(starts, count) dragnet_table_calibrate(table, starts, count, &target, NULL, &found)
    ARGUMENT(CALIBRATE(&at, 1), "the share of wins from 0 to 1000, found 1001");
    target.share = 500;
    ARGUMENT(CALIBRATE(NULL, 0), "expected at least one start, found none");
    ARGUMENT(CALIBRATE(&wall, 1), "expected a start with a move, found start 0");
    target.games = 100001;
    ARGUMENT(CALIBRATE(&at, 1), "expected the number of games from 1 to 100000, found 100001");
    target.games = 0;
    CALL(CALIBRATE(&at, 1));
    CHECK(found.games == 200);
    target.games = 4;
    CALL(CALIBRATE(&at, 1));
    target.side = 7;
    ARGUMENT(CALIBRATE(&at, 1), "side: expected DRAGNET_POLICE (1) or DRAGNET_THIEF (2), found 7");

    dragnet_review review;
    const dragnet_position still[] = {at, at};
#define REVIEW(game, count) dragnet_table_review(table, game, count, DRAGNET_POLICE, &review, NULL, 0)
    ARGUMENT(REVIEW(NULL, 0), "expected the positions of a game, found none");
    ARGUMENT(REVIEW(still, 2), "found position 1 (from 0)");
    CALL(REVIEW(still, 1));
    CHECK(review.moves == 0 && review.plies_lost == 0);
    ARGUMENT(dragnet_review_worst(NULL, 1, NULL, 0, &count), "moves is NULL");
    CALL(dragnet_review_worst(NULL, 0, NULL, 0, &count));
    CHECK(count == 0);
    CALL(dragnet_opponent_close(opponent));
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    FILE *vectors = fopen(argv[1], "r");
    dragnet_table *table = NULL;
    static char line[MOST_CHARACTERS];
    char path[4096];
    size_t games = 0, reviews = 0, calibrations = 0;
    CHECK(vectors != NULL);
    strengths();
    while (fgets(line, sizeof line, vectors) != NULL) {
        const char *at = line;
        CHECK(strchr(line, '\n') != NULL);
        if (skip(&at, "table ")) {
            snprintf(path, sizeof path, "%s/%.*s", argv[2], (int)strcspn(at, "\n"), at);
            CALL(dragnet_table_close(table));
            CALL(open_file(path, DRAGNET_TABLE_PURSUIT, &table));
        } else if (skip(&at, "game ")) {
            play(table, at);
            if (games++ == 0) failures(table, game[0]);
        } else if (skip(&at, "review ")) {
            rate(table, at);
            reviews++;
        } else if (skip(&at, "calibrate ")) {
            calibrate(table, at);
            calibrations++;
        }
    }
    CALL(dragnet_table_close(table));
    CHECK(fclose(vectors) == 0);
    CHECK(games > 100 && reviews == 2 * games && calibrations > 10);
    return 0;
}
