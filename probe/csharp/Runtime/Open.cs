using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>A table to be opened: says where it is, and then as which kind of table it is opened, as in
    /// <c>Open.Path("yard.dtb").Pursuit()</c>. Nothing is looked at before that.</summary>
    public readonly unsafe ref struct Open
    {
        private readonly Place _place;
        private readonly byte[] _path;
        private readonly ReadOnlySpan<byte> _bytes;
        private readonly IntPtr _kept;
        private readonly long _length;

        private Open(Place place, string path) : this()
        {
            _place = place;
            _path = Utf8.Bytes(path, "path");
        }

        private Open(Place place, ReadOnlySpan<byte> bytes, IntPtr kept, long length) : this()
        {
            _place = place;
            _bytes = bytes;
            _kept = kept;
            _length = length;
        }

        private enum Place
        {
            File,
            WholeFile,
            MappedFile,
            Bytes,
            KeptBytes,
        }

        /// <summary>Opens a file, which is cheap however large it is. The file may be changed while it is
        /// open; calls then throw an exception, and never answer wrongly.</summary>
        /// <param name="path">The path of the file.</param>
        public static Open Path(string path)
        {
            return new Open(Place.File, path);
        }

        /// <summary>Reads a whole file into memory, which is not needed afterwards.</summary>
        /// <param name="path">The path of the file.</param>
        public static Open Whole(string path)
        {
            return new Open(Place.WholeFile, path);
        }

        /// <summary>Opens a file as a memory map. Contract: nobody writes to the file or truncates it until
        /// the table is disposed; otherwise answers may be wrong, and the system may kill the
        /// process.</summary>
        /// <param name="path">The path of the file.</param>
        public static Open Mapped(string path)
        {
            return new Open(Place.MappedFile, path);
        }

        /// <summary>Opens a copy of bytes, for example of a Unity TextAsset.</summary>
        /// <param name="bytes">The bytes of a file.</param>
        public static Open Bytes(ReadOnlySpan<byte> bytes)
        {
            return new Open(Place.Bytes, bytes, IntPtr.Zero, bytes.Length);
        }

        /// <summary>Opens memory that is not copied, for example a part of a mapped asset pack. Contract: the
        /// memory stays as it is, and the garbage collector does not move it, until the table is
        /// disposed.</summary>
        /// <param name="bytes">The address of the bytes.</param>
        /// <param name="length">The number of bytes.</param>
        public static Open KeptBytes(IntPtr bytes, long length)
        {
            if (bytes == IntPtr.Zero)
            {
                throw new ArgumentNullException("bytes");
            }
            if (length < 0)
            {
                throw new ArgumentOutOfRangeException("length", length, "expected 0 bytes or more");
            }
            return new Open(Place.KeptBytes, default(ReadOnlySpan<byte>), bytes, length);
        }

        /// <summary>Opens a pursuit table.</summary>
        /// <exception cref="WrongKindException">It is a table of another kind.</exception>
        /// <exception cref="DragnetException">It cannot be opened as a table.</exception>
        public Table Pursuit()
        {
            return new Table(Handle(Kind.Pursuit));
        }

        /// <summary>Opens a game table.</summary>
        /// <exception cref="WrongKindException">It is a table of another kind.</exception>
        /// <exception cref="DragnetException">It cannot be opened as a table.</exception>
        public GameTable Game()
        {
            return new GameTable(Handle(Kind.Game));
        }

        /// <summary>Opens a partial table.</summary>
        /// <exception cref="WrongKindException">It is a table of another kind.</exception>
        /// <exception cref="DragnetException">It cannot be opened as a table.</exception>
        public PartialTable Partial()
        {
            return new PartialTable(Handle(Kind.Partial));
        }

        /// <summary>Opens a table of whichever kind it is: a <see cref="Table"/>, a <see cref="GameTable"/>
        /// or a <see cref="PartialTable"/>.</summary>
        /// <exception cref="DragnetException">It cannot be opened as a table.</exception>
        public OpenTable Any()
        {
            var table = Handle(Kind.Any);
            Kind kind;
            Failures.Check(Native.dragnet_table_kind(table, (int*)&kind));
            switch (kind)
            {
                case Kind.Game:
                    return new GameTable(table);
                case Kind.Partial:
                    return new PartialTable(table);
                default:
                    return new Table(table);
            }
        }

        private TableHandle Handle(Kind kind)
        {
            DragnetLibrary.Check();
            // An empty array has an address too.
            byte nothing;
            NativeSource source = default(NativeSource);
            IntPtr table;
            fixed (byte* path = _path)
            fixed (byte* bytes = &MemoryMarshal.GetReference(_bytes))
            {
                switch (_place)
                {
                    case Place.File:
                        source.path = path;
                        break;
                    case Place.WholeFile:
                        source.whole = path;
                        break;
                    case Place.MappedFile:
                        source.mapped = path;
                        break;
                    case Place.Bytes:
                        source.bytes = _bytes.IsEmpty ? &nothing : bytes;
                        break;
                    default:
                        source.kept = (byte*)_kept;
                        break;
                }
                source.length = (ulong)_length;
                Failures.Check(Native.dragnet_open(&source, (int)kind, &table));
            }
            return new TableHandle(table);
        }
    }
}
