using System;
using System.IO;
using System.Linq;

namespace Dragnet.Tests
{
    /// <summary>Tests of tablebases.</summary>
    internal static class TablebaseTests
    {
        public static void A_tablebase_finds_each_table_by_its_source()
        {
            using (var tables = Tablebase.Open(new[] { Golden.Folder }, 1))
            {
                foreach (var name in Golden.Names)
                {
                    using (var table = Open.Path(Golden.Path(name)).Pursuit())
                    {
                        // A game that a program gave has no source.
                        if (table.Source.Length > 0)
                        {
                            using (var found = tables.GetTable(table.Source))
                            {
                                Check.Equal(table.Info.Digest, found.Info.Digest);
                            }
                        }
                    }
                }
                var names = tables.GetPaths().Select(Path.GetFileName).ToArray();
                Check.That(Golden.Names.All(names.Contains), "the golden tables");
                Check.That(!names.Contains("v2-graph.dtb"), "no game tables");
            }
        }

        public static void A_table_stays_open_after_its_tablebase()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                Table found;
                using (var tables = Tablebase.Open(Golden.Folder))
                {
                    found = tables.GetTable(table.Source);
                }
                Check.Equal((int?)13, found.GetValue(new Position((0, 8), (0, 12), Side.Police)).Dtw);
                found.Dispose();
            }
        }

        public static void A_missing_table_is_told_from_errors()
        {
            using (var tables = Tablebase.Open(Golden.Folder))
            {
                const string missing = "board = '''\n.E\n'''\n";
                Table found;
                Check.That(!tables.TryGetTable(missing, out found), "no table");
                Check.That(found == null, "null");
                Check.Throws<MissingTableException>("", () => tables.GetTable(missing));
                Check.Throws<InvalidArgumentException>(
                    "0 to 6", () => tables.TryGetTable(missing + "\nrules.officers = 7", out found));
                Check.Throws<InvalidArgumentException>(
                    "source: board: ", () => tables.GetTable("board = '''\n.@\n'''\n"));
            }
            Check.Throws<UnreadableFileException>("no-such-folder", () => Tablebase.Open("no-such-folder"));
        }

        public static void Invalid_files_of_a_folder_are_listed()
        {
            var folder = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString());
            Directory.CreateDirectory(folder);
            try
            {
                File.WriteAllText(Path.Combine(folder, "other.dtb"), "no table at all");
                using (var tables = Tablebase.Open(Golden.Folder, folder))
                {
                    Check.Equal(1, tables.GetUnreadable().Length);
                    Check.That(tables.GetUnreadable()[0].Contains("other.dtb"), "the name of the file");
                }
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }
    }
}
