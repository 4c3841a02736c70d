using System;
using System.Linq;
using System.Runtime.InteropServices;

namespace Dragnet.Tests
{
    /// <summary>Tests of partial tables, each beside the pursuit table from which it was made.</summary>
    internal static class PartialTableTests
    {
        private const string Outcomes = "v2-outcomes.dtb";

        public static void Each_table_says_what_it_keeps()
        {
            var keeps = new[] { Outcomes, "v2-moves-police.dtb", "v2-moves-thief.dtb" }.Select(name =>
            {
                using (var table = Open.Path(Golden.Path(name)).Partial())
                {
                    table.CheckSums();
                    return table.Keeps;
                }
            });
            Check.Equal("Outcomes MovesOfPolice MovesOfThief", string.Join(" ", keeps));
        }

        public static void Kept_outcomes_are_those_of_the_pursuit_table()
        {
            using (var partial = Open.Path(Golden.Path(Outcomes)).Partial())
            using (var full = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                foreach (var at in Golden.Positions(full))
                {
                    Check.Equal(full.GetValue(at).Outcome, partial.GetOutcome(at));
                }
            }
        }

        public static void Kept_moves_are_best_moves_of_the_pursuit_table()
        {
            CheckMoves("v2-moves-police.dtb", "v2-team.dtb", Side.Police);
            CheckMoves("v2-moves-thief.dtb", "v2-cops.dtb", Side.Thief);
        }

        public static void What_is_not_kept_has_an_exception_of_its_own()
        {
            Position after;
            using (var table = Open.Path(Golden.Path(Outcomes)).Partial())
            {
                var at = new Position((0, 8), (0, 12), Side.Police);
                var error = Check.Throws<NotKeptException>(
                    "keeps who wins", () => table.TryGetBestMove(at, out after));
                Check.Equal(Keep.Outcomes, error.Keeps);
                Check.Equal(Status.Kind, error.Status);
            }
            using (var table = Open.Path(Golden.Path("v2-moves-police.dtb")).Partial())
            {
                var officers = new Cell[] { (0, 0), (0, 6) };
                var error = Check.Throws<NotKeptException>(
                    "keeps the moves of the police",
                    () => table.TryGetBestMove(new Position(officers, (1, 8), Side.Thief), out after));
                Check.Equal(Keep.MovesOfPolice, error.Keeps);
                Check.Throws<NotKeptException>(
                    "asked for who wins", () => table.GetOutcome(new Position(officers, (1, 8), Side.Police)));
            }
        }

        public static void Every_way_of_opening_gives_the_same_partial_table()
        {
            var bytes = Golden.Bytes(Outcomes);
            var kept = GCHandle.Alloc(bytes, GCHandleType.Pinned);
            try
            {
                using (var full = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
                using (var opened = Open.Path(Golden.Path(Outcomes)).Partial())
                using (var copied = Open.Bytes(bytes).Partial())
                using (var inPlace = Open.KeptBytes(kept.AddrOfPinnedObject(), bytes.Length).Partial())
                {
                    Check.Equal(full.Info.Digest, opened.Info.Digest);
                    Check.Equal(full.Source, copied.Source);
                    Check.Equal(full.Board.ToString(), inPlace.Board.ToString());
                    foreach (var at in Golden.Positions(full))
                    {
                        var expected = full.GetValue(at).Outcome;
                        Check.Equal(expected, opened.GetOutcome(at));
                        Check.Equal(expected, copied.GetOutcome(at));
                        Check.Equal(expected, inPlace.GetOutcome(at));
                    }
                }
            }
            finally
            {
                kept.Free();
            }
        }

        public static void Tables_of_another_kind_are_refused_as_partial_tables()
        {
            Check.Throws<WrongKindException>("partial table", () => Open.Path(Golden.Path("v2-size.dtb")).Partial());
            Check.Throws<WrongKindException>("partial table", () => Open.Path(Golden.Path(Outcomes)).Pursuit());
            Check.Throws<NotATableException>("", () => Open.Bytes(new byte[0]).Partial());
            Check.Throws<UnreadableFileException>("no-such.dtb", () => Open.Path("no-such.dtb").Partial());
            Check.Throws<ArgumentNullException>("path", () => Open.Path(null).Partial());
        }

        public static void Damage_of_a_partial_table_is_found()
        {
            var whole = Golden.Bytes(Outcomes);
            for (var i = 12; i < whole.Length; i++)
            {
                var bytes = (byte[])whole.Clone();
                bytes[i] ^= 1;
                Check.Throws<DamagedTableException>("", () =>
                {
                    using (var table = Open.Bytes(bytes).Partial())
                    {
                        table.CheckSums();
                    }
                });
            }
        }

        public static void A_partial_table_refuses_positions_that_do_not_exist_and_calls_after_its_end()
        {
            var table = Open.Path(Golden.Path(Outcomes)).Partial();
            Check.Throws<InvalidPositionException>(
                "the thief's cell 0,2 is a wall",
                () => table.GetOutcome(new Position((0, 0), (0, 2), Side.Police)));
            Check.Throws<InvalidPositionException>(
                "expected a world below 1, found 1",
                () => table.GetOutcome(new Position((0, 0), (0, 0), Side.Police, 1)));
            Check.Throws<InvalidArgumentException>("turn", () => table.GetOutcome(default(Position)));
            table.Dispose();
            table.Dispose();
            Check.Throws<ObjectDisposedException>(
                "", () => table.GetOutcome(new Position((0, 0), (0, 0), Side.Police)));
            Check.Throws<ObjectDisposedException>("", table.CheckSums);
        }

        private static void CheckMoves(string name, string source, Side side)
        {
            int moved = 0, ended = 0;
            using (var partial = Open.Path(Golden.Path(name)).Partial())
            using (var full = Open.Path(Golden.Path(source)).Pursuit())
            {
                foreach (var at in Golden.Positions(full).Where(at => at.Turn == side))
                {
                    var moves = full.GetMoves(at);
                    Position after;
                    if (!partial.TryGetBestMove(at, out after))
                    {
                        Check.Equal(0, moves.Length);
                        ended++;
                        continue;
                    }
                    var chosen = moves.Single(move => at.After(move).ToString() == after.ToString());
                    Check.Equal(moves[0].Value, chosen.Value);
                    moved++;
                }
            }
            Check.That(moved > 100 && ended > 10, "positions with and without moves");
        }
    }
}
