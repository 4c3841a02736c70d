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

    /// <summary>Options for opening a table.</summary>
    public class TableOptions
    {
        /// <summary>The order in which the file will be read.</summary>
        public Access Access { get; set; }

        internal static unsafe NativeOptions ToNative(TableOptions options)
        {
            DragnetLibrary.Check();
            NativeOptions native;
            Failures.Check(Native.dragnet_options_init(&native));
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

        internal static unsafe NativeTablebaseOptions ToNative(TablebaseOptions options)
        {
            DragnetLibrary.Check();
            NativeTablebaseOptions native;
            Failures.Check(Native.dragnet_tablebase_options_init(&native));
            if (options != null)
            {
                native.access = (int)options.Access;
                native.open_tables = options.OpenTables == null ? native.open_tables : (ulong)options.OpenTables.Value;
            }
            return native;
        }
    }
}
