using System;
using System.IO;
using System.Linq;

namespace Dragnet.Tests
{
    /// <summary>Tests of tablebases and of the rules that they find tables by.</summary>
    internal static class TablebaseTests
    {
        public static void A_tablebase_finds_each_table_by_its_board_and_rules()
        {
            using (var tables = Tablebase.Open(new[] { Golden.Folder }, new TablebaseOptions { OpenTables = 1 }))
            {
                foreach (var name in Golden.Names)
                {
                    using (var table = Table.Open(Golden.Path(name)))
                    using (var found = tables.GetTable(table.Board, table.GetRules()))
                    {
                        Check.Equal(table.Info.Digest, found.Info.Digest);
                    }
                }
                var names = tables.GetPaths().Select(Path.GetFileName).ToArray();
                Check.That(Golden.Names.All(names.Contains), "the golden tables");
                Check.That(!names.Contains("v1-graph.dtb"), "no game tables");
            }
        }

        public static void A_table_stays_open_after_its_tablebase()
        {
            using (var table = Table.Open(Golden.Path("v1-size.dtb")))
            {
                Table found;
                using (var tables = Tablebase.Open(Golden.Folder))
                {
                    found = tables.GetTable(table.Board, table.GetRules());
                }
                Check.Equal((int?)13, found.GetValue(new Position((0, 8), (0, 12), Side.Police)).Dtw);
                found.Dispose();
            }
        }

        public static void A_missing_table_is_told_from_errors()
        {
            using (var tables = Tablebase.Open(Golden.Folder))
            {
                var squares = new[] { Square.Open, Square.Exit };
                Table found;
                Check.That(!tables.TryGetTable(new Board(1, 2, squares), Rules.Preset("chase"), out found), "no table");
                Check.That(found == null, "null");
                Check.Throws<MissingTableException>(
                    "", () => tables.GetTable(new Board(1, 2, squares), Rules.Preset("chase")));
                var unplayable = Rules.Preset("chase");
                unplayable.Officers = 7;
                Check.Throws<InvalidArgumentException>(
                    "7", () => tables.TryGetTable(new Board(1, 2, squares), unplayable, out found));
                Check.Throws<ArgumentNullException>("board", () => tables.GetTable(null, unplayable));
                Check.Throws<ArgumentNullException>("rules", () => tables.GetTable(new Board(1, 2, squares), null));
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

        public static void A_preset_has_the_rules_that_the_header_documents()
        {
            var classic = Rules.Preset("classic");
            Check.Equal(MoveSet.King, classic.Police.Moves);
            Check.Equal(MoveSet.Orthogonal, classic.Thief.Moves);
            Check.Equal(8, classic.Police.Offsets.Length);
            Check.That(classic.Police.MayPass && classic.Thief.MayPass, "pieces that may pass");
            Check.That(!Rules.Preset("chase").CornerCutting, "no corner cutting");
            Check.Equal(MoveSet.Edges, Rules.Preset("cops").Thief.Moves);
        }
    }
}
