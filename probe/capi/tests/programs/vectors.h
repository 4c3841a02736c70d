/* Reads the lines of probe/tests/opponent/vectors.txt, whose first lines say what they hold. */
#include "check.h"

/* The most plies of a game in the file, and the most characters of a line. */
#define MOST_PLIES 4096
#define MOST_CHARACTERS 65536

/* An opponent as the file describes it. */
struct described_opponent {
    dragnet_strength strength;
    dragnet_style style;
    uint64_t seed;
};

/* Goes on behind spaces, and then behind `word` if it is there. Returns whether it was. */
static inline int skip(const char **at, const char *word) {
    while (**at == ' ') ++*at;
    if (strncmp(*at, word, strlen(word)) != 0) return 0;
    *at += strlen(word);
    return 1;
}

static inline uint64_t scan_number(const char **at) {
    char *end;
    while (**at == ' ') ++*at;
    const uint64_t number = strtoull(*at, &end, 10);
    CHECK(end != *at);
    *at = end;
    return number;
}

static inline double scan_share(const char **at) {
    char *end;
    const double share = strtod(*at, &end);
    CHECK(end != *at);
    *at = end;
    return share;
}

static inline dragnet_strength scan_strength(const char **at) {
    uint32_t fields[6];
    for (int i = 0; i < 6; i++) {
        CHECK(i == 0 || skip(at, ","));
        fields[i] = (uint32_t)scan_number(at);
    }
    const dragnet_strength strength = {fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]};
    return strength;
}

static inline dragnet_style scan_style(const char **at) {
    dragnet_style style;
    memset(&style, 0, sizeof style);
    if (skip(at, "longest")) {
        style.kind = DRAGNET_STYLE_LONGEST;
    } else if (skip(at, "uniform")) {
        style.kind = DRAGNET_STYLE_TRICKIEST;
    } else {
        style.kind = DRAGNET_STYLE_TRICKIEST_AGAINST;
        style.replier = scan_strength(at);
    }
    return style;
}

/* Reads STRENGTH STYLE, and a seed if there is one. */
static inline struct described_opponent scan_opponent(const char **at) {
    struct described_opponent described;
    described.strength = scan_strength(at);
    described.style = scan_style(at);
    described.seed = skip(at, "|") ? (--*at, 0) : scan_number(at);
    return described;
}

/* Reads the cells of a side's pieces, and returns how many they are. */
static inline int scan_cells(const char **at, dragnet_cell *cells) {
    int count = 0;
    do {
        CHECK(count < DRAGNET_MAX_OFFICERS);
        cells[count].row = (uint16_t)scan_number(at);
        CHECK(skip(at, ","));
        cells[count++].col = (uint16_t)scan_number(at);
    } while (**at == '+' && ++*at);
    return count;
}

static inline dragnet_side scan_side(const char **at) {
    if (skip(at, "police")) return DRAGNET_POLICE;
    CHECK(skip(at, "thief"));
    return DRAGNET_THIEF;
}

static inline dragnet_position scan_position(const char **at) {
    dragnet_position position;
    memset(&position, 0, sizeof position);
    position.officers = scan_cells(at, position.police);
    CHECK(scan_cells(at, &position.thief) == 1);
    position.turn = scan_side(at);
    return position;
}
