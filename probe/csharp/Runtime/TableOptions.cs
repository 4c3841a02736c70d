using System;

namespace Dragnet
{
    /// <summary>The order in which the file of a table will be read.</summary>
    public enum Access
    {
        /// <summary>In any order: the system reads only what is asked for.</summary>
        Random = 0,

        /// <summary>From beginning to end: the system may read ahead.</summary>
        Whole = 1,
    }

    /// <summary>How the bytes of a table come into memory, as in dragnet_memory.</summary>
    internal enum Memory
    {
        Copied = 0,
        Whole = 1,
        Shared = 2,
    }

    /// <summary>Options for opening a table.</summary>
    public class TableOptions
    {
        /// <summary>The order in which the file will be read.</summary>
        public Access Access { get; set; }

        internal static NativeOptions ToNative(TableOptions options, Memory memory)
        {
            DragnetLibrary.Check();
            var native = default(NativeOptions);
            native.memory = (int)memory;
            if (options != null)
            {
                native.access = (int)options.Access;
            }
            return native;
        }
    }

    /// <summary>Options for opening a tablebase.</summary>
    public sealed class TablebaseOptions : TableOptions
    {
        private int? _openTables;

        /// <summary>The most tables that stay open without an object of their own, at least 1; null for the
        /// default.</summary>
        /// <exception cref="ArgumentOutOfRangeException">The number is below 1.</exception>
        public int? OpenTables
        {
            get { return _openTables; }
            set { _openTables = value == null ? value : Arguments.AtLeast(value.Value, 1, "OpenTables"); }
        }

        internal static NativeTablebaseOptions ToNative(TablebaseOptions options)
        {
            DragnetLibrary.Check();
            var native = default(NativeTablebaseOptions);
            if (options != null)
            {
                native.access = (int)options.Access;
                // 0 stands for the default.
                native.open_tables = (ulong)(options.OpenTables ?? 0);
            }
            return native;
        }
    }
}
