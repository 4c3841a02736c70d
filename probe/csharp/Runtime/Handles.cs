using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A handle of an object of the library.</summary>
    internal abstract class LibraryHandle : SafeHandle
    {
        protected LibraryHandle(IntPtr created) : base(IntPtr.Zero, true)
        {
            SetHandle(created);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;
    }

    /// <summary>A handle of a table.</summary>
    internal sealed class TableHandle : LibraryHandle
    {
        internal TableHandle(IntPtr created) : base(created)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.dragnet_table_close(handle) == 0;
        }
    }

    /// <summary>A handle of an opponent.</summary>
    internal sealed class OpponentHandle : LibraryHandle
    {
        internal OpponentHandle(IntPtr created) : base(created)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.dragnet_opponent_close(handle) == 0;
        }
    }

    /// <summary>A handle of a tablebase.</summary>
    internal sealed class TablebaseHandle : LibraryHandle
    {
        internal TablebaseHandle(IntPtr created) : base(created)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.dragnet_tablebase_close(handle) == 0;
        }
    }
}
