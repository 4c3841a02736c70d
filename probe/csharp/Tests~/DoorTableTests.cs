using System;
using System.Collections.Generic;
using System.Linq;

namespace Dragnet.Tests
{
    /// <summary>Tests of tables on boards with doors, beside the same table asked by numbers.</summary>
    internal static class DoorTableTests
    {
        private const string Name = "v1-doors.dtb";

        public static void A_board_with_doors_has_its_board_doors_and_keys()
        {
            using (var table = DoorTable.Open(Golden.Path(Name)))
            {
                Check.Equal(2, table.Doors.Length);
                Check.Equal((Cell?)new Cell(0, 1), table.Doors[0].Key);
                Check.That(table.Doors[0].IsOpenAtStart, "the door with a key is open at the start");
                Check.Equal(null, table.Doors[1].Key);
                Check.Equal(3, table.Doors[1].Period);
                Check.Equal(3, table.Doors[1].Schedule);
                Check.Equal(new Cell(1, 0), table.Doors[1].Cell);
                Check.Equal("0,1", string.Join(" ", table.Keys.ToArray().Select(key => key.ToString())));
                Check.Equal(3, table.Phases);
                Check.Equal(Stuck.Loses, table.Stuck);
                Check.Equal((Side?)null, table.Undecided);
                Check.Equal(table.Game.GetInfo().Positions, (long)Positions(table).Count);
            }
        }

        public static void Positions_have_the_values_of_their_numbers()
        {
            using (var table = DoorTable.Open(Golden.Path(Name)))
            {
                var positions = Positions(table);
                for (var i = 0; i < positions.Count; i++)
                {
                    Check.Equal((ulong)i, table.GetNumber(positions[i]));
                    var expected = table.Game.GetValue((ulong)i);
                    var value = table.GetValue(positions[i]);
                    Check.Equal(expected.Dtw, value.Dtw);
                    Check.Equal(expected.Result == Result.Won, value.Winner == positions[i].Turn);
                    Check.Equal(expected.Result == Result.Drawn, value.Winner == null);
                }
            }
        }

        public static void The_best_move_is_the_first_and_keeps_the_value()
        {
            using (var table = DoorTable.Open(Golden.Path(Name)))
            {
                var moves = new DoorMove[9];
                var played = 0;
                foreach (var at in Positions(table))
                {
                    DoorMove best;
                    var count = table.GetMoves(at, moves);
                    Check.Equal(count > 0, table.TryGetBestMove(at, out best));
                    if (count == 0)
                    {
                        Check.Equal((int?)0, table.GetValue(at).Dtw);
                        continue;
                    }
                    Check.Equal(moves[0].After.ToString(), best.After.ToString());
                    for (var i = 0; i < count; i++)
                    {
                        Check.Equal(moves[i].Value, table.GetValue(moves[i].After));
                    }
                    var value = table.GetValue(at);
                    Check.Equal(value.Outcome, best.Value.Outcome);
                    Check.Equal(value.Dtw, best.Value.Dtw + 1);
                    played++;
                }
                Check.That(played > 0, "moves");
            }
        }

        public static void Doors_open_by_keys_and_schedules()
        {
            using (var table = DoorTable.FromBytes(Golden.Bytes(Name)))
            {
                foreach (var at in Positions(table))
                {
                    Check.Equal(at.Keys == 0, table.IsOpen(0, at));
                    Check.Equal(at.Phase < 2, table.IsOpen(1, at));
                }
                var caught = new DoorPosition((0, 0), (0, 0), Side.Thief);
                Check.Equal((Side?)Side.Police, table.GetWinner(caught));
            }
        }

        public static void Wrong_positions_and_tables_are_refused()
        {
            using (var table = DoorTable.Of(GameTable.Open(Golden.Path(Name))))
            {
                foreach (var wrong in new[]
                {
                    new DoorPosition((9, 0), (0, 0), Side.Police), new DoorPosition((0, 0), (0, 0), Side.Police, 2),
                    new DoorPosition((0, 0), (0, 0), Side.Police, 0, 3),
                    new DoorPosition((0, 0), (0, 0), Side.Police, 0, -1),
                })
                {
                    Check.Throws<InvalidPositionException>("", () => table.GetValue(wrong));
                    Check.Throws<InvalidPositionException>("", () => table.IsOpen(0, wrong));
                }
                var at = new DoorPosition((0, 0), (0, 0), Side.Police);
                Check.Throws<ArgumentOutOfRangeException>("0 to 1", () => table.IsOpen(2, at));
                Check.Throws<InvalidArgumentException>(
                    "keys", () => table.GetValue(new DoorPosition((0, 0), (0, 0), Side.Police, -1)));
                Check.Throws<InvalidArgumentException>(
                    "turn", () => table.GetValue(new DoorPosition((0, 0), (0, 0), (Side)7)));
                table.Dispose();
                Check.Throws<ObjectDisposedException>("", () => table.GetValue(at));
            }
            Check.Throws<WrongKindException>("doors", () => DoorTable.Open(Golden.Path("v1-graph.dtb")));
            Check.Throws<WrongKindException>("", () => DoorTable.Open(Golden.Path("v2-size.dtb")));
            Check.Throws<ArgumentNullException>("game", () => DoorTable.Of(null));
        }

        /// <summary>Returns every position in the order of the numbers.</summary>
        private static List<DoorPosition> Positions(DoorTable table)
        {
            var positions = new List<DoorPosition>();
            var cells = table.Board.OpenCells();
            for (var keys = 0; keys < 1 << table.Keys.Length; keys++)
            {
                for (var phase = 0; phase < table.Phases; phase++)
                {
                    foreach (var turn in new[] { Side.Police, Side.Thief })
                    {
                        foreach (var police in cells)
                        {
                            foreach (var thief in cells)
                            {
                                positions.Add(new DoorPosition(police, thief, turn, keys, phase));
                            }
                        }
                    }
                }
            }
            return positions;
        }
    }
}
