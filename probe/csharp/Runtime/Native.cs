using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>The functions of dragnet.h that this assembly calls. All their arguments are
    /// blittable.</summary>
    internal static unsafe class Native
    {
#if (UNITY_IOS || UNITY_TVOS || UNITY_WEBGL || UNITY_SWITCH) && !UNITY_EDITOR
        // There the library is linked with the program.
        private const string Library = "__Internal";
#else
        private const string Library = "dragnet";
#endif

        [DllImport(Library)]
        internal static extern byte* dragnet_last_error();

        [DllImport(Library)]
        internal static extern byte* dragnet_version();

        [DllImport(Library)]
        internal static extern int dragnet_cache_set_limit(ulong bytes);

        [DllImport(Library)]
        internal static extern int dragnet_cache_get_statistics(NativeCacheStatistics* statistics);

        [DllImport(Library)]
        internal static extern int dragnet_open(NativeSource* source, int kind, IntPtr* table);

        [DllImport(Library)]
        internal static extern int dragnet_table_close(IntPtr table);

        [DllImport(Library)]
        internal static extern int dragnet_table_kind(TableHandle table, int* kind);

        [DllImport(Library)]
        internal static extern int dragnet_table_info(TableHandle table, NativeInfo* info);

        [DllImport(Library)]
        internal static extern int dragnet_table_squares(
            TableHandle table, byte* squares, UIntPtr capacity, UIntPtr* count);

        [DllImport(Library)]
        internal static extern int dragnet_table_source(
            TableHandle table, byte* source, UIntPtr capacity, UIntPtr* length);

        [DllImport(Library)]
        internal static extern int dragnet_table_check_sums(TableHandle table, NativeProgress* progress);

        [DllImport(Library)]
        internal static extern int dragnet_table_value(TableHandle table, Position* position, Value* value);

        [DllImport(Library)]
        internal static extern int dragnet_table_values(
            TableHandle table, Position* positions, UIntPtr count, Value* values, UIntPtr* failed);

        [DllImport(Library)]
        internal static extern int dragnet_table_moves(
            TableHandle table, Position* position, Move* moves, UIntPtr capacity, UIntPtr* count);

        [DllImport(Library)]
        internal static extern int dragnet_table_best_move(
            TableHandle table, Position* position, Move* best, UIntPtr* count);

        [DllImport(Library)]
        internal static extern int dragnet_table_line(
            TableHandle table, Position* position, Move* moves, UIntPtr capacity, UIntPtr* count, int* winner);

        [DllImport(Library)]
        internal static extern int dragnet_table_winner(TableHandle table, Position* position, int* winner);

        [DllImport(Library)]
        internal static extern int dragnet_strength_preset(byte* name, Strength* strength);

        [DllImport(Library)]
        internal static extern int dragnet_strength_level(uint level, Strength* strength);

        [DllImport(Library)]
        internal static extern int dragnet_opponent_create(
            Strength* strength, Style* style, ulong seed, IntPtr* opponent);

        [DllImport(Library)]
        internal static extern int dragnet_opponent_copy(OpponentHandle opponent, IntPtr* copy);

        [DllImport(Library)]
        internal static extern int dragnet_opponent_close(IntPtr opponent);

        [DllImport(Library)]
        internal static extern int dragnet_opponent_choose(
            OpponentHandle opponent, TableHandle table, Position* position, Move* chosen, UIntPtr* count);

        [DllImport(Library)]
        internal static extern int dragnet_opponent_state(OpponentHandle opponent, ulong* state);

        [DllImport(Library)]
        internal static extern int dragnet_opponent_restart(OpponentHandle opponent, ulong seed);

        /// <summary>A null opponent plays perfectly, so its handle is passed as a pointer.</summary>
        [DllImport(Library)]
        internal static extern int dragnet_table_calibrate(
            TableHandle table, Position* starts, UIntPtr count, Target* wanted, IntPtr against,
            Calibration* calibration);

        [DllImport(Library)]
        internal static extern int dragnet_table_review(
            TableHandle table, Position* game, UIntPtr count, int side, NativeReview* review, ReviewedMove* moves,
            UIntPtr capacity);

        [DllImport(Library)]
        internal static extern int dragnet_review_worst(
            ReviewedMove* moves, UIntPtr count, ReviewedMove* worst, UIntPtr capacity, UIntPtr* errors);

        [DllImport(Library)]
        internal static extern int dragnet_tablebase_open(
            byte** folders, UIntPtr count, ulong open_tables, IntPtr* tablebase);

        [DllImport(Library)]
        internal static extern int dragnet_tablebase_close(IntPtr tablebase);

        [DllImport(Library)]
        internal static extern int dragnet_tablebase_table(TablebaseHandle tablebase, byte* source, IntPtr* table);

        [DllImport(Library)]
        internal static extern int dragnet_tablebase_info_of(TablebaseHandle tablebase, NativeTablebaseInfo* info);

        [DllImport(Library)]
        internal static extern int dragnet_tablebase_path(
            TablebaseHandle tablebase, UIntPtr index, byte* path, UIntPtr capacity, UIntPtr* length);

        [DllImport(Library)]
        internal static extern int dragnet_tablebase_unreadable_message(
            TablebaseHandle tablebase, UIntPtr index, byte* message, UIntPtr capacity, UIntPtr* length);

        [DllImport(Library)]
        internal static extern int dragnet_game_table_info(TableHandle table, NativeGameInfo* info);

        [DllImport(Library)]
        internal static extern int dragnet_game_table_name(
            TableHandle table, byte* name, UIntPtr capacity, UIntPtr* length);

        [DllImport(Library)]
        internal static extern int dragnet_game_table_value(TableHandle table, ulong position, GameValue* value);

        [DllImport(Library)]
        internal static extern int dragnet_game_table_values(
            TableHandle table, ulong* positions, UIntPtr count, GameValue* values, UIntPtr* failed);

        [DllImport(Library)]
        internal static extern int dragnet_game_table_best(
            TableHandle table, ulong* successors, UIntPtr count, UIntPtr* best);

        [DllImport(Library)]
        internal static extern int dragnet_partial_table_keeps(TableHandle table, int* keeps);

        [DllImport(Library)]
        internal static extern int dragnet_partial_table_outcome(
            TableHandle table, Position* position, int* outcome);

        [DllImport(Library)]
        internal static extern int dragnet_partial_table_best_move(
            TableHandle table, Position* position, Position* after, UIntPtr* count);
    }
}
