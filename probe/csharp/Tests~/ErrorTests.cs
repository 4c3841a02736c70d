using System;
using System.IO;

namespace Dragnet.Tests
{
    /// <summary>Tests of calls that fail.</summary>
    internal static class ErrorTests
    {
        public static void Each_kind_of_bad_file_has_its_exception()
        {
            var missing = Check.Throws<UnreadableFileException>("no-such.dtb", () => Open.Path("no-such.dtb").Pursuit());
            Check.Equal(Status.File, missing.Status);
            Check.Throws<NotATableException>("", () => Open.Path(Golden.Path("open-1x1.txt")).Pursuit());
            Check.Throws<WrongKindException>("", () => Open.Path(Golden.Path("v2-graph.dtb")).Pursuit());
            Check.Throws<WrongKindException>("", () => Open.Path(Golden.Path("v2-size.dtb")).Game());
            var bytes = Golden.Bytes("v2-size.dtb");
            Check.Throws<DamagedTableException>("", () => Open.Bytes(bytes.AsSpan(0, bytes.Length - 1)).Pursuit());
            Check.Throws<NotATableException>("", () => Open.Bytes(new byte[0]).Pursuit());
            Check.Throws<DragnetException>("", () => throw new DragnetException((Status)99, "another"));
        }

        public static void A_later_version_is_refused()
        {
            var bytes = Golden.Bytes("v2-size.dtb");
            bytes[8] = 99;
            Check.Throws<UnknownVersionException>("99", () => Open.Bytes(bytes).Pursuit());
        }

        public static void Damage_is_found_and_never_answered()
        {
            var whole = Golden.Bytes("v2-size.dtb");
            for (var i = 12; i < whole.Length; i++)
            {
                var bytes = (byte[])whole.Clone();
                bytes[i] ^= 1;
                Check.Throws<DamagedTableException>("", () =>
                {
                    using (var table = Open.Bytes(bytes).Pursuit())
                    {
                        table.CheckSums();
                    }
                });
            }
        }

        public static void A_position_that_does_not_exist_is_refused()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                var wall = new Position((0, 0), (0, 2), Side.Police);
                var words = "the thief's cell 0,2 is a wall";
                Move move;
                Side? winner;
                var error = Check.Throws<InvalidPositionException>(words, () => table.GetValue(wall));
                Check.Equal((int?)null, error.Index);
                Check.Throws<InvalidPositionException>(words, () => table.GetMoves(wall));
                Check.Throws<InvalidPositionException>(words, () => table.TryGetBestMove(wall, out move));
                Check.Throws<InvalidPositionException>(words, () => table.GetLine(wall));
                Check.Throws<InvalidPositionException>(words, () => table.GetLine(wall, new Move[1], out winner));
                Check.Throws<InvalidPositionException>(words, () => table.GetWinner(wall));
                var two = new Position(new Cell[] { (0, 0), (0, 1) }, (0, 0), Side.Police);
                Check.Throws<InvalidPositionException>("", () => table.GetValue(two));
                Check.Throws<InvalidArgumentException>("turn", () => table.GetValue(default(Position)));
                var nobody = new Position(default(Pieces), (0, 0), Side.Police);
                Check.Throws<InvalidArgumentException>("officers", () => table.GetValue(nobody));
            }
        }

        public static void A_batch_names_the_position_to_blame()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                var good = new Position((0, 0), (0, 0), Side.Police);
                var bad = new Position((0, 0), (999, 0), Side.Police);
                var error = Check.Throws<InvalidPositionException>(
                    "999", () => table.GetValues(new[] { good, good, bad, good }));
                Check.Equal((int?)2, error.Index);
                Check.Throws<ArgumentException>("room for 2", () => table.GetValues(new[] { good, good }, new Value[1]));
            }
        }

        public static void Invalid_texts_are_refused()
        {
            Check.Throws<ArgumentNullException>("path", () => Open.Path(null).Pursuit());
            Check.Throws<ArgumentException>("NUL", () => Open.Path("a\0b").Pursuit());
            Check.Throws<ArgumentException>("half of a character", () => Open.Path("a\uD800b").Pursuit());
        }

        public static void Invalid_cells_and_teams_are_refused()
        {
            Check.Throws<ArgumentOutOfRangeException>("row", () => new Cell(-1, 0).ToString());
            Check.Throws<ArgumentOutOfRangeException>("column", () => new Cell(0, 65536).ToString());
            Check.Throws<ArgumentException>("found 0", () => new Pieces(new Cell[0]).ToString());
            Check.Throws<ArgumentException>("found 7", () => new Pieces(new Cell[7]).ToString());
            Check.Throws<ArgumentOutOfRangeException>("below 1", () => new Pieces(new Cell(0, 0))[1].ToString());
            Check.Throws<ArgumentOutOfRangeException>(
                "0 bytes or more", () => Cache.SetLimit(-1));
        }

        public static void A_disposed_table_refuses_calls()
        {
            var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit();
            table.Dispose();
            table.Dispose();
            Check.Throws<ObjectDisposedException>("", () => table.GetValue(new Position((0, 0), (0, 0), Side.Police)));
            Check.Throws<ObjectDisposedException>("", table.CheckSums);
            var game = Open.Path(Golden.Path("v2-graph.dtb")).Game();
            game.Dispose();
            Check.Throws<ObjectDisposedException>("", () => game.GetValue(0));
            var tables = Tablebase.Open(Golden.Folder);
            tables.Dispose();
            Check.Throws<ObjectDisposedException>("", () => tables.GetPaths());
        }

        public static void The_version_of_the_library_is_the_one_expected()
        {
            Check.Equal(DragnetLibrary.ExpectedVersion, DragnetLibrary.Version);
        }

        public static void Tables_that_nobody_disposes_are_closed()
        {
            if (!Directory.Exists("/proc/self/fd"))
            {
                return;
            }
            for (var i = 0; i < 2000; i++)
            {
                Open.Path(Golden.Path("v2-size.dtb")).Pursuit();
                if (i % 100 == 0)
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                }
            }
            GC.Collect();
            GC.WaitForPendingFinalizers();
            var open = Directory.GetFileSystemEntries("/proc/self/fd").Length;
            Check.That(open < 500, "fewer than 500 open files after 2000 tables, found " + open);
        }
    }
}
