using System;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>An open tablebase: the pursuit tables of one or several folders. All members may be used from
    /// many threads at once.</summary>
    public sealed unsafe class Tablebase : IDisposable
    {
        private readonly TablebaseHandle _tablebase;

        private Tablebase(IntPtr tablebase)
        {
            _tablebase = new TablebaseHandle(tablebase);
        }

        /// <summary>Opens folders, and reads the header of each file in them whose name ends in .dtb. Game
        /// tables are skipped. A file that is not a valid table is no error; see <see
        /// cref="GetUnreadable"/>.</summary>
        /// <param name="folders">The paths of the folders.</param>
        /// <exception cref="UnreadableFileException">A folder cannot be read.</exception>
        public static Tablebase Open(params string[] folders)
        {
            return new Tablebase(OpenFolders(folders, 0));
        }

        /// <summary>Opens folders, of whose tables at most some stay open without an object of their own;
        /// else 64.</summary>
        /// <param name="folders">The paths of the folders.</param>
        /// <param name="openTables">The most tables that stay open, at least 1.</param>
        /// <exception cref="UnreadableFileException">A folder cannot be read.</exception>
        /// <exception cref="ArgumentOutOfRangeException">The number is below 1.</exception>
        public static Tablebase Open(string[] folders, int openTables)
        {
            return new Tablebase(OpenFolders(folders, Arguments.AtLeast(openTables, 1, "openTables")));
        }

        /// <summary>Returns the table for the board and the rules of a TOML document such as <see
        /// cref="BoardTable.Source"/>, which the caller disposes. If several tables fit, the one in the
        /// folder named first is taken.</summary>
        /// <param name="source">The document. Start cells do not matter.</param>
        /// <exception cref="MissingTableException">There is no such table.</exception>
        /// <exception cref="InvalidArgumentException">The document cannot be read, or its rules cannot be
        /// played.</exception>
        /// <exception cref="DragnetException">The table cannot be opened.</exception>
        public Table GetTable(string source)
        {
            IntPtr table;
            Failures.Check(Find(source, out table));
            return new Table(new TableHandle(table));
        }

        /// <summary>Gets the table for the board and the rules of a TOML document, which the caller
        /// disposes.</summary>
        /// <param name="source">The document. Start cells do not matter.</param>
        /// <param name="found">The table, null if there is none.</param>
        /// <returns>Whether there is such a table.</returns>
        /// <exception cref="InvalidArgumentException">The document cannot be read, or its rules cannot be
        /// played.</exception>
        /// <exception cref="DragnetException">The table cannot be opened.</exception>
        public bool TryGetTable(string source, out Table found)
        {
            IntPtr table;
            found = null;
            var status = Find(source, out table);
            if (status == (int)Status.Missing)
            {
                return false;
            }
            Failures.Check(status);
            found = new Table(new TableHandle(table));
            return true;
        }

        /// <summary>Returns the paths of all tables.</summary>
        public string[] GetPaths()
        {
            return Texts(Info().tables, Native.dragnet_tablebase_path);
        }

        /// <summary>Returns the errors of the files whose name ends in .dtb and whose header is invalid. A
        /// missing table may be one of them.</summary>
        public string[] GetUnreadable()
        {
            return Texts(Info().unreadable, Native.dragnet_tablebase_unreadable_message);
        }

        /// <summary>Closes the tablebase. Its tables stay open. Calls that follow throw an
        /// exception.</summary>
        public void Dispose()
        {
            _tablebase.Dispose();
        }

        private delegate int CopyText(
            TablebaseHandle tablebase, UIntPtr index, byte* text, UIntPtr capacity, UIntPtr* length);

        private string[] Texts(ulong count, CopyText copy)
        {
            var texts = new string[checked((int)count)];
            for (var i = 0; i < texts.Length; i++)
            {
                var index = (UIntPtr)i;
                texts[i] = Utf8.Text((byte* buffer, UIntPtr capacity, UIntPtr* length) =>
                    copy(_tablebase, index, buffer, capacity, length));
            }
            return texts;
        }

        /// <summary>Opens folders; 0 open tables stand for the default.</summary>
        private static IntPtr OpenFolders(string[] folders, int openTables)
        {
            Arguments.NotNull(folders, "folders");
            DragnetLibrary.Check();
            var names = new GCHandle[folders.Length];
            var addresses = new IntPtr[folders.Length];
            try
            {
                for (var i = 0; i < folders.Length; i++)
                {
                    names[i] = GCHandle.Alloc(Utf8.Bytes(folders[i], "folders"), GCHandleType.Pinned);
                    addresses[i] = names[i].AddrOfPinnedObject();
                }
                IntPtr tablebase;
                fixed (IntPtr* list = addresses)
                {
                    Failures.Check(Native.dragnet_tablebase_open(
                        (byte**)list, (UIntPtr)folders.Length, (ulong)openTables, &tablebase));
                }
                return tablebase;
            }
            finally
            {
                foreach (var name in names)
                {
                    if (name.IsAllocated)
                    {
                        name.Free();
                    }
                }
            }
        }

        private NativeTablebaseInfo Info()
        {
            NativeTablebaseInfo info;
            Failures.Check(Native.dragnet_tablebase_info_of(_tablebase, &info));
            return info;
        }

        private int Find(string source, out IntPtr found)
        {
            IntPtr table;
            int status;
            fixed (byte* text = Utf8.Bytes(source, "source"))
            {
                status = Native.dragnet_tablebase_table(_tablebase, text, &table);
            }
            found = table;
            return status;
        }
    }
}
