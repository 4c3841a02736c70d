using System;

namespace Dragnet
{
    /// <summary>The memory in which all tables keep blocks that have been read, checked and
    /// decompressed.</summary>
    public static unsafe class Cache
    {
        /// <summary>Sets the most bytes of memory for the cache, 32 MiB if nothing is set. It holds for
        /// tables that are opened from now on. The memory goes back to the system when the last table is
        /// closed.</summary>
        /// <param name="bytes">The most bytes, at least 0.</param>
        public static void SetLimit(long bytes)
        {
            if (bytes < 0)
            {
                throw new ArgumentOutOfRangeException("bytes", bytes, "expected a cache of 0 bytes or more");
            }
            DragnetLibrary.Check();
            Failures.Check(Native.dragnet_cache_set_limit((ulong)bytes));
        }

        /// <summary>Returns what the cache holds, and how often it was of use.</summary>
        public static CacheStatistics GetStatistics()
        {
            DragnetLibrary.Check();
            NativeCacheStatistics now;
            Failures.Check(Native.dragnet_cache_get_statistics(&now));
            return new CacheStatistics(now);
        }
    }

    /// <summary>The contents of the cache, and how often it was of use. Many misses beside few hits say that
    /// a higher limit would help.</summary>
    public struct CacheStatistics
    {
        private readonly NativeCacheStatistics _native;

        internal CacheStatistics(NativeCacheStatistics native)
        {
            _native = native;
        }

        /// <summary>The most bytes of memory that the cache may take.</summary>
        public long Limit => (long)_native.limit;

        /// <summary>The bytes that are reserved; the system gives them as they are used.</summary>
        public long Reserved => (long)_native.reserved;

        /// <summary>The bytes of the blocks that are kept.</summary>
        public long Bytes => (long)_native.bytes;

        /// <summary>The number of open tables.</summary>
        public long Tables => (long)_native.tables;

        /// <summary>How often a block was found.</summary>
        public long Hits => (long)_native.hits;

        /// <summary>How often a block had to be read or decompressed.</summary>
        public long Misses => (long)_native.misses;
    }
}
