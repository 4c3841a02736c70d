/* Prints the sizes and offsets of the structures of dragnet.h, as Layout.cs prints those of C#. */
#include <dragnet.h>
#include <stdio.h>

#define SIZE(name) printf("%s %zu\n", #name, sizeof(dragnet_##name))
#define MEMBER(name, member) printf("%s.%s %zu\n", #name, #member, offsetof(dragnet_##name, member))

int main(void) {
    SIZE(cell);
    SIZE(position);
    MEMBER(position, thief);
    MEMBER(position, turn);
    MEMBER(position, officers);
    MEMBER(position, world);
    SIZE(value);
    MEMBER(value, dtw);
    SIZE(move);
    MEMBER(move, count);
    MEMBER(move, world);
    MEMBER(move, value);
    SIZE(game_value);
    MEMBER(game_value, dtw);
    SIZE(strength);
    MEMBER(strength, reaction);
    SIZE(style);
    MEMBER(style, replier);
    SIZE(target);
    MEMBER(target, style);
    SIZE(calibration);
    MEMBER(calibration, reached);
    MEMBER(calibration, to);
    SIZE(reviewed_move);
    MEMBER(reviewed_move, best);
    MEMBER(reviewed_move, plies);
    SIZE(progress);
    MEMBER(progress, context);
    MEMBER(progress, report);
    SIZE(review);
    MEMBER(review, moves);
    MEMBER(review, errors);
    MEMBER(review, blunders);
    MEMBER(review, drops);
    MEMBER(review, plies_lost);
    SIZE(info);
    MEMBER(info, height);
    MEMBER(info, width);
    MEMBER(info, officer_layers);
    MEMBER(info, thief_layers);
    MEMBER(info, officers);
    MEMBER(info, team);
    MEMBER(info, stuck);
    MEMBER(info, undecided);
    MEMBER(info, worlds);
    MEMBER(info, open_cells);
    MEMBER(info, positions);
    MEMBER(info, police_to_move);
    MEMBER(info, thief_to_move);
    MEMBER(info, longest_police);
    MEMBER(info, longest_thief);
    MEMBER(info, digest);
    MEMBER(info, file_length);
    MEMBER(info, memory);
    SIZE(game_info);
    MEMBER(game_info, positions);
    MEMBER(game_info, won);
    MEMBER(game_info, lost);
    MEMBER(game_info, drawn);
    MEMBER(game_info, longest_win);
    MEMBER(game_info, longest_loss);
    MEMBER(game_info, key);
    MEMBER(game_info, digest);
    MEMBER(game_info, file_length);
    MEMBER(game_info, memory);
    SIZE(tablebase_info);
    MEMBER(tablebase_info, tables);
    MEMBER(tablebase_info, unreadable);
    SIZE(source);
    MEMBER(source, path);
    MEMBER(source, whole);
    MEMBER(source, mapped);
    MEMBER(source, bytes);
    MEMBER(source, kept);
    MEMBER(source, read);
    MEMBER(source, close);
    MEMBER(source, context);
    MEMBER(source, length);
    return 0;
}
