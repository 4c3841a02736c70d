using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>The structure dragnet_options, with room for members of later versions.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    internal struct NativeOptions
    {
        internal int access;
        internal int memory;
    }

    /// <summary>The structure dragnet_tablebase_options, with room for members of later versions.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    internal struct NativeTablebaseOptions
    {
        internal int access;
        internal int memory;
        internal ulong open_tables;
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
