/* Checks and helpers that the test programs share. */
#include <dragnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                           \
    do {                                                                           \
        if (!(condition)) {                                                        \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

/* Makes a call that must succeed. */
#define CALL(call)                                                                                               \
    do {                                                                                                         \
        if ((call) != DRAGNET_OK) {                                                                              \
            fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call, dragnet_last_error());          \
            exit(1);                                                                                             \
        }                                                                                                        \
    } while (0)

/* Makes a call that must fail with a status and a message that contains `words`. */
#define FAILS(call, expected, words)                                                                             \
    do {                                                                                                         \
        dragnet_status ended = (call);                                                                           \
        if (ended != (expected) || strstr(dragnet_last_error(), words) == NULL) {                                \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, dragnet_status_name(ended),        \
                    dragnet_last_error());                                                                       \
            exit(1);                                                                                             \
        }                                                                                                        \
    } while (0)

static inline void *room_for(size_t count, size_t size) {
    void *memory = malloc(count * size + 1);
    CHECK(memory != NULL);
    return memory;
}

/*
 * Advances a team to the next one. A team is the cell numbers of its officers in ascending order; the first
 * one is all 0. Returns whether there was a next team.
 */
static inline int next_team(size_t *team, int officers, size_t cells) {
    for (int i = 0; i < officers; i++) {
        if (team[i] + 1 < (i + 1 < officers ? team[i + 1] + 1 : cells)) {
            team[i]++;
            memset(team, 0, (size_t)i * sizeof *team);
            return 1;
        }
    }
    return 0;
}

/* Returns the position after a move. */
static inline dragnet_position after(dragnet_position at, const dragnet_move *move) {
    if (move->side == DRAGNET_THIEF) {
        at.thief = move->to[0];
        at.turn = DRAGNET_POLICE;
    } else {
        memcpy(at.police, move->to, sizeof at.police);
        at.turn = DRAGNET_THIEF;
    }
    at.world = move->world;
    return at;
}

/* Says where a table is, by a word that the tests use: open, mapped, read, copy or keep. */
static inline dragnet_source source_of(const char *how, const char *path, const uint8_t *bytes, size_t length) {
    dragnet_source source;
    memset(&source, 0, sizeof source);
    if (strcmp(how, "open") == 0) source.path = path;
    if (strcmp(how, "mapped") == 0) source.mapped = path;
    if (strcmp(how, "read") == 0) source.whole = path;
    if (strcmp(how, "copy") == 0) source.bytes = bytes;
    if (strcmp(how, "keep") == 0) source.kept = bytes;
    source.length = length;
    return source;
}

/* Opens the table in a file. */
static inline dragnet_status open_file(const char *path, dragnet_kind kind, dragnet_table **table) {
    dragnet_source source = source_of("open", path, NULL, 0);
    return dragnet_open(&source, kind, table);
}

/* Reads a file into memory, which the caller frees. */
static inline uint8_t *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    long size = ftell(file);
    CHECK(size >= 0 && fseek(file, 0, SEEK_SET) == 0);
    *length = (size_t)size;
    uint8_t *bytes = (uint8_t *)room_for(*length, 1);
    CHECK(fread(bytes, 1, *length, file) == *length);
    fclose(file);
    return bytes;
}
