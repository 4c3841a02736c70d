using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;

namespace Dragnet.Tests
{
    /// <summary>Tests of questions to a pursuit table.</summary>
    internal static class TableTests
    {
        private static readonly Position Alley = new Position((0, 8), (0, 12), Side.Police);

        public static void A_table_answers_as_the_c_library_documents()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                var value = table.GetValue(Alley);
                Check.Equal(Outcome.Police, value.Outcome);
                Check.Equal((Side?)Side.Police, value.Winner);
                Check.Equal((int?)13, value.Dtw);
                Check.That(value.WinsWithin(Side.Police, 13), "a win within 13 plies");
                Check.That(!value.WinsWithin(Side.Police, 12), "no win within 12 plies");
                Check.That(!value.WinsWithin(Side.Thief, 99), "no win of the thief");
                Move best;
                Check.That(table.TryGetBestMove(Alley, out best), "a move");
                Check.Equal("to 0,9: police in 12", best.ToString());
                var line = table.GetLine(Alley);
                Check.Equal(13, line.Moves.Length);
                Check.Equal((Side?)Side.Police, line.Winner);
            }
        }

        public static void A_team_moves_as_the_c_library_documents()
        {
            using (var table = Open.Path(Golden.Path("v2-team.dtb")).Pursuit())
            {
                var at = new Position(new Cell[] { (0, 0), (0, 6) }, (1, 8), Side.Police);
                var moves = table.GetMoves(at);
                Check.Equal("0,6+1,8", moves[0].To.ToString());
                Check.Equal((int?)0, moves[0].Value.Dtw);
                Check.Equal((Side?)Side.Police, table.GetWinner(at.After(moves[0])));
            }
        }

        public static void Every_way_of_opening_gives_the_same_table()
        {
            var path = Golden.Path("v2-speed.dtb");
            var bytes = Golden.Bytes("v2-speed.dtb");
            var kept = GCHandle.Alloc(bytes, GCHandleType.Pinned);
            var tables = new[]
            {
                Open.Path(path).Pursuit(), Open.Mapped(path).Pursuit(), Open.Whole(path).Pursuit(),
                Open.Bytes(bytes).Pursuit(), Open.KeptBytes(kept.AddrOfPinnedObject(), bytes.Length).Pursuit(),
            };
            var positions = Golden.Positions(tables[0]).ToArray();
            var expected = tables[0].GetValues(positions);
            foreach (var table in tables)
            {
                table.CheckSums();
                Check.Equal(tables[0].Info.Digest, table.Info.Digest);
                for (var i = 0; i < positions.Length; i++)
                {
                    Check.Equal(expected[i], table.GetValue(positions[i]));
                }
                table.Dispose();
            }
            kept.Free();
        }

        public static void A_path_may_hold_any_letters()
        {
            var folder = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString());
            Directory.CreateDirectory(folder);
            try
            {
                var path = Path.Combine(folder, "kör€\U0001F600.dtb");
                File.Copy(Golden.Path("v2-size.dtb"), path);
                using (var table = Open.Path(path).Pursuit())
                {
                    Check.Equal((int?)13, table.GetValue(Alley).Dtw);
                }
                using (var tables = Tablebase.Open(folder))
                {
                    Check.Equal(path, tables.GetPaths()[0]);
                }
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        public static void A_buffer_receives_the_best_moves_and_nothing_beyond()
        {
            using (var table = Open.Path(Golden.Path("v2-team.dtb")).Pursuit())
            {
                var tried = 0;
                foreach (var at in Golden.Positions(table))
                {
                    var all = table.GetMoves(at);
                    if (all.Length < 4)
                    {
                        continue;
                    }
                    var few = new Move[4];
                    Check.Equal(all.Length, table.GetMoves(at, few.AsSpan(1, 2)));
                    Check.Equal(all[0].ToString(), few[1].ToString());
                    Check.Equal(all[1].ToString(), few[2].ToString());
                    Check.Equal(0, few[0].To.Count + few[3].To.Count);
                    Check.Equal(all.Length, table.GetMoves(at, Span<Move>.Empty));
                    tried++;
                }
                Check.That(tried > 100, "positions with many moves");
            }
        }

        public static void Optimal_play_follows_the_moves_to_the_end()
        {
            foreach (var name in Golden.Names)
            {
                using (var table = Open.Path(Golden.Path(name)).Pursuit())
                {
                    foreach (var start in Golden.Positions(table))
                    {
                        var line = table.GetLine(start);
                        if (line.Winner == null)
                        {
                            continue;
                        }
                        var at = start;
                        foreach (var move in line.Moves)
                        {
                            Check.Equal(at.Turn, move.Side);
                            at = at.After(move);
                            Check.Equal(move.Value, table.GetValue(at));
                        }
                        Check.Equal((int?)0, table.GetValue(at).Dtw);
                        Check.Equal(table.GetValue(start).Dtw, (int?)line.Moves.Length);
                    }
                }
            }
        }

        public static void Each_position_is_worth_what_its_best_move_is_a_ply_earlier()
        {
            foreach (var name in Golden.Names)
            {
                using (var table = Open.Path(Golden.Path(name)).Pursuit())
                {
                    var worlds = new HashSet<int>();
                    foreach (var at in Golden.Positions(table))
                    {
                        Move best;
                        if (!table.TryGetBestMove(at, out best))
                        {
                            Check.Equal((int?)0, table.GetValue(at).Dtw);
                            continue;
                        }
                        var after = at.After(best);
                        Check.Equal(best.World, after.World);
                        Check.Equal(best.Value, table.GetValue(after));
                        Check.Equal(best.Value.Outcome, table.GetValue(at).Outcome);
                        Check.Equal(best.Value.Dtw + 1, table.GetValue(at).Dtw);
                        worlds.Add(best.World);
                    }
                    Check.Equal(table.Info.Worlds, worlds.Count);
                }
            }
        }

        public static void A_world_that_is_not_there_is_refused()
        {
            using (var table = Open.Path(Golden.Path("v2-doors.dtb")).Pursuit())
            {
                const string words = "expected a world below 6, found 6";
                Check.Equal(6, table.Info.Worlds);
                var last = new Position((0, 0), (2, 2), Side.Police, 5);
                var none = new Position((0, 0), (2, 2), Side.Police, 6);
                Move move;
                Check.That(table.TryGetBestMove(last, out move), "a move");
                Check.Throws<InvalidPositionException>(words, () => table.GetValue(none));
                Check.Throws<InvalidPositionException>(words, () => table.GetMoves(none));
                Check.Throws<InvalidPositionException>(words, () => table.TryGetBestMove(none, out move));
                Check.Throws<InvalidPositionException>(words, () => table.GetLine(none));
                Check.Throws<InvalidPositionException>(words, () => table.GetWinner(none));
                var error = Check.Throws<InvalidPositionException>(
                    words, () => table.GetValues(new[] { last, none }));
                Check.Equal((int?)1, error.Index);
            }
        }

        public static void Batches_of_no_positions_have_no_values()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                Check.Equal(0, table.GetValues(ReadOnlySpan<Position>.Empty).Length);
            }
        }

        public static void A_table_tells_how_its_game_goes_and_from_which_text_it_was_made()
        {
            using (var table = Open.Path(Golden.Path("v2-cops.dtb")).Pursuit())
            {
                Check.Equal(1, table.Board.Height);
                Check.Equal(2, table.Info.Officers);
                Check.Equal((Side?)Side.Thief, table.Info.Undecided);
                Check.That(table.Source.StartsWith("graph = '''\n"), "a graph");
            }
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                var info = table.Info;
                Check.Equal("1 1 1 All Loses", string.Join(
                    " ", info.OfficerLayers, info.ThiefLayers, info.Officers, info.Team, info.Stuck));
                Check.Equal((Side?)null, info.Undecided);
                Check.That(table.Source.StartsWith("board = '''\n"), "a board");
                Check.Equal(Square.Wall, table.Board[(0, 2)]);
            }
        }
    }
}
