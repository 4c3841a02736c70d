using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>The kind of a table, as in dragnet_kind.</summary>
    internal enum Kind
    {
        Any = 0,
        Pursuit = 1,
        Game = 2,
        Partial = 3,
    }

    /// <summary>The structure dragnet_source.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct NativeSource
    {
        internal byte* path;
        internal byte* whole;
        internal byte* mapped;
        internal byte* bytes;
        internal byte* kept;
        internal IntPtr read;
        internal IntPtr close;
        internal IntPtr context;
        internal ulong length;
    }

    /// <summary>The structure dragnet_tablebase_info.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeTablebaseInfo
    {
        internal ulong tables;
        internal ulong unreadable;
    }

    /// <summary>The structure dragnet_cache_statistics.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeCacheStatistics
    {
        internal ulong limit;
        internal ulong reserved;
        internal ulong bytes;
        internal ulong tables;
        internal ulong hits;
        internal ulong misses;
    }

    /// <summary>The structure dragnet_counts.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeCounts
    {
        internal ulong police;
        internal ulong thief;
        internal ulong draw;
    }

    /// <summary>The structure dragnet_info.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeInfo
    {
        internal uint height;
        internal uint width;
        internal uint officer_layers;
        internal uint thief_layers;
        internal int officers;
        internal int team;
        internal int stuck;
        internal int undecided;
        internal ulong worlds;
        internal ulong open_cells;
        internal ulong positions;
        internal NativeCounts police_to_move;
        internal NativeCounts thief_to_move;
        internal uint longest_police;
        internal uint longest_thief;
        internal ulong digest;
        internal ulong file_length;
        internal ulong memory;
    }

    /// <summary>The structure dragnet_game_info.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeGameInfo
    {
        internal ulong positions;
        internal ulong won;
        internal ulong lost;
        internal ulong drawn;
        internal uint longest_win;
        internal uint longest_loss;
        internal ulong key;
        internal ulong digest;
        internal ulong file_length;
        internal ulong memory;
    }

    /// <summary>The structure dragnet_review.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeReview
    {
        internal ulong moves;
        internal ulong errors;
        internal ulong blunders;
        internal ulong drops;
        internal ulong plies_lost;
    }

    /// <summary>The structure dragnet_progress.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeProgress
    {
        internal IntPtr context;
        internal IntPtr report;
    }
}
