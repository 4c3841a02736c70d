using System;

namespace Dragnet.Tests
{
    /// <summary>Tests of the managed memory that calls allocate.</summary>
    internal static class MemoryTests
    {
        private const int Rounds = 20;

        internal static object Kept;

        public static void Probes_of_a_table_allocate_nothing()
        {
            foreach (var name in Golden.Names)
            {
                using (var table = Open.Path(Golden.Path(name)).Pursuit())
                {
                    var positions = Golden.Positions(table).ToArray();
                    var values = new Value[positions.Length];
                    var moves = new Move[1024];
                    var plies = 0L;
                    NoAllocation(name + ": GetValue", () =>
                    {
                        foreach (var at in positions)
                        {
                            plies += table.GetValue(at).Dtw ?? 0;
                        }
                    });
                    NoAllocation(name + ": GetValues", () => table.GetValues(positions, values));
                    NoAllocation(name + ": GetMoves", () =>
                    {
                        foreach (var at in positions)
                        {
                            var count = table.GetMoves(at, moves);
                            for (var i = 0; i < count; i++)
                            {
                                foreach (var cell in moves[i].To)
                                {
                                    plies += cell.Row;
                                }
                            }
                        }
                    });
                    NoAllocation(name + ": TryGetBestMove", () =>
                    {
                        foreach (var at in positions)
                        {
                            Move best;
                            plies += table.TryGetBestMove(at, out best) ? best.To.Count : 0;
                        }
                    });
                    NoAllocation(name + ": GetLine and GetWinner", () =>
                    {
                        foreach (var at in positions)
                        {
                            Side? winner;
                            plies += table.GetLine(at, moves, out winner) + (table.GetWinner(at) == null ? 0 : 1);
                        }
                    });
                    using (var opponent = new Opponent(Strength.Normal, Style.Trickiest, 1))
                    {
                        NoAllocation(name + ": TryChoose", () =>
                        {
                            foreach (var at in positions)
                            {
                                Move chosen;
                                plies += opponent.TryChoose(table, at, out chosen) ? chosen.To.Count : 0;
                            }
                        });
                    }
                    NoAllocation(name + ": Position", () =>
                    {
                        for (var i = 0; i < 1000; i++)
                        {
                            plies += new Position((i, 1), (2, i), Side.Thief).Police.Count;
                        }
                    });
                    Check.That(plies > 0, "answers");
                }
            }
        }

        public static void Probes_of_a_game_table_allocate_nothing()
        {
            using (var table = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            {
                var all = new ulong[table.GetInfo().Positions];
                for (var i = 0; i < all.Length; i++)
                {
                    all[i] = (ulong)i;
                }
                var values = new GameValue[all.Length];
                var plies = 0L;
                NoAllocation("GetValue", () =>
                {
                    foreach (var position in all)
                    {
                        plies += table.GetValue(position).Dtw ?? 0;
                    }
                });
                NoAllocation("GetValues", () => table.GetValues(all, values));
                NoAllocation("TryGetBest", () =>
                {
                    int best;
                    plies += table.TryGetBest(all, out best) ? best : 0;
                });
                Check.That(plies > 0, "answers");
            }
        }

        public static void Probes_of_a_partial_table_allocate_nothing()
        {
            using (var full = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            using (var outcomes = Open.Path(Golden.Path("v2-outcomes.dtb")).Partial())
            {
                var positions = Golden.Positions(full).ToArray();
                var won = 0;
                NoAllocation("GetOutcome", () =>
                {
                    foreach (var at in positions)
                    {
                        won += outcomes.GetOutcome(at) == Outcome.Police ? 1 : 0;
                    }
                });
                Check.That(won > 0, "answers");
            }
            using (var full = Open.Path(Golden.Path("v2-team.dtb")).Pursuit())
            using (var moves = Open.Path(Golden.Path("v2-moves-police.dtb")).Partial())
            {
                var positions = Golden.Positions(full).FindAll(at => at.Turn == Side.Police).ToArray();
                var cells = 0;
                NoAllocation("TryGetBestMove", () =>
                {
                    foreach (var at in positions)
                    {
                        Position after;
                        cells += moves.TryGetBestMove(at, out after) ? after.Police.Count : 0;
                    }
                });
                Check.That(cells > 0, "answers");
            }
        }

        public static void A_single_allocation_would_be_noticed()
        {
            Check.Throws<CheckException>("no allocation", () => NoAllocation("an object", () => Kept = new object()));
        }

        /// <summary>Makes calls many times, none of which may allocate managed memory in this
        /// thread.</summary>
        private static void NoAllocation(string what, Action calls)
        {
            calls();
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < Rounds; i++)
            {
                calls();
            }
            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            Check.That(allocated == 0, "no allocation by " + what + ", found " + allocated + " bytes");
        }
    }
}
