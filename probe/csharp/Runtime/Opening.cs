using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>The ways of opening a table, which are alike for all kinds of table.</summary>
    internal static unsafe class Opening
    {
        /// <summary>A function of the library that opens a file.</summary>
        internal delegate int OpenFile(byte* path, NativeOptions* options, IntPtr* table);

        /// <summary>A function of the library that opens bytes.</summary>
        internal delegate int OpenBytes(byte* bytes, UIntPtr length, NativeOptions* options, IntPtr* table);

        internal static IntPtr File(string path, TableOptions options, OpenFile open, Memory memory = Memory.Copied)
        {
            var native = TableOptions.ToNative(options, memory);
            IntPtr table;
            fixed (byte* text = Utf8.Bytes(path, "path"))
            {
                Failures.Check(open(text, &native, &table));
            }
            return table;
        }

        internal static IntPtr Bytes(ReadOnlySpan<byte> bytes, TableOptions options, OpenBytes open)
        {
            var native = TableOptions.ToNative(options, Memory.Copied);
            IntPtr table;
            fixed (byte* start = &MemoryMarshal.GetReference(bytes))
            {
                Failures.Check(open(start, (UIntPtr)bytes.Length, &native, &table));
            }
            return table;
        }

        internal static IntPtr KeptBytes(IntPtr bytes, long length, TableOptions options, OpenBytes open)
        {
            if (bytes == IntPtr.Zero && length > 0)
            {
                throw new ArgumentNullException("bytes");
            }
            if (length < 0)
            {
                throw new ArgumentOutOfRangeException("length", length, "expected 0 bytes or more");
            }
            var native = TableOptions.ToNative(options, Memory.Shared);
            IntPtr table;
            Failures.Check(open((byte*)bytes, (UIntPtr)(ulong)length, &native, &table));
            return table;
        }
    }
}
