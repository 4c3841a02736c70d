using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A handle of a pursuit table.</summary>
    internal sealed class TableHandle : SafeHandle
    {
        internal TableHandle(IntPtr table) : base(IntPtr.Zero, true)
        {
            SetHandle(table);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            return Native.dragnet_table_close(handle) == 0;
        }
    }

    /// <summary>A handle of a game table.</summary>
    internal sealed class GameTableHandle : SafeHandle
    {
        internal GameTableHandle(IntPtr table) : base(IntPtr.Zero, true)
        {
            SetHandle(table);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            return Native.dragnet_game_table_close(handle) == 0;
        }
    }

    /// <summary>A handle of an opponent.</summary>
    internal sealed class OpponentHandle : SafeHandle
    {
        internal OpponentHandle(IntPtr opponent) : base(IntPtr.Zero, true)
        {
            SetHandle(opponent);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            return Native.dragnet_opponent_close(handle) == 0;
        }
    }

    /// <summary>A handle of a tablebase.</summary>
    internal sealed class TablebaseHandle : SafeHandle
    {
        internal TablebaseHandle(IntPtr tablebase) : base(IntPtr.Zero, true)
        {
            SetHandle(tablebase);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            return Native.dragnet_tablebase_close(handle) == 0;
        }
    }
}
