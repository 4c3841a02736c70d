using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Dragnet.Tests
{
    /// <summary>Tests of opponents, which choose the moves of probe/tests/opponent/vectors.txt; its first
    /// lines say what it holds.</summary>
    internal static class OpponentTests
    {
        /// <summary>The file of the games, from the folder of the tables.</summary>
        internal static string Vectors { get; set; } = "../../../probe/tests/opponent/vectors.txt";

        public static void Games_and_reviews_go_as_the_page_says()
        {
            List<Position> game = null;
            var played = 0;
            EachLine((table, word, fields) =>
            {
                switch (word)
                {
                    case "game":
                        game = Play(table, fields);
                        played++;
                        break;
                    case "review":
                        CheckReview(table.Review(game.ToArray(), SideOf(fields[0])), fields);
                        break;
                }
            });
            Check.That(played > 100, "more games than " + played);
        }

        public static void Calibrations_find_the_levels_of_the_page()
        {
            var found = 0;
            EachLine((table, word, fields) =>
            {
                if (word != "calibrate")
                {
                    return;
                }
                var asked = fields[0].Split(' ');
                var target = new Target(SideOf(asked[0]), Number(asked[1]))
                {
                    Games = Number(asked[2]),
                    Seed = ulong.Parse(asked[3], CultureInfo.InvariantCulture),
                    Style = StyleOf(asked[4]),
                };
                var starts = fields.Skip(2).Take(3).Select(PositionOf).ToArray();
                Calibration answer;
                using (var against = OpponentOf(fields[1]))
                {
                    answer = table.Calibrate(starts, target, against);
                }
                var numbers = new[] { answer.Level, answer.Wins, answer.Lowest, answer.Highest };
                var expected = fields[5].Split(' ');
                Check.Equal(string.Join(" ", expected.Take(4)), string.Join(" ", numbers));
                Check.Equal(expected[4] == "reached", answer.Reached);
                Check.Equal(double.Parse(expected[5], CultureInfo.InvariantCulture), answer.From);
                Check.Equal(double.Parse(expected[6], CultureInfo.InvariantCulture), answer.To);
                Check.Equal(Strength.AtLevel(answer.Level), answer.Strength);
                found++;
            });
            Check.That(found > 10, "more calibrations than " + found);
        }

        public static void A_game_goes_from_world_to_world()
        {
            using (var table = Open.Path(Golden.Path("v2-doors.dtb")).Pursuit())
            using (var opponent = new Opponent(Strength.Perfect, 1))
            {
                var game = new List<Position> { new Position((1, 2), (0, 0), Side.Police) };
                Move move;
                while (opponent.TryChoose(table, game[game.Count - 1], out move))
                {
                    game.Add(game[game.Count - 1].After(move));
                }
                Check.Equal(6, game.Count);
                Check.That(game.Select(at => at.World).Distinct().Count() > 2, "several worlds");
                foreach (var side in new[] { Side.Police, Side.Thief })
                {
                    Check.Equal(0, table.Review(game.ToArray(), side).Errors);
                }
                game[1] = new Position(game[1].Police, game[1].Thief, game[1].Turn, 0);
                Check.Throws<InvalidArgumentException>(
                    "position 1", () => table.Review(game.ToArray(), Side.Police));
            }
        }

        public static void A_calibration_without_starts_is_refused()
        {
            using (var table = Open.Path(Golden.Path(Golden.Names[0])).Pursuit())
            {
                Check.Throws<InvalidArgumentException>(
                    "expected at least one start, found none",
                    () => table.Calibrate(new Position[0], new Target(Side.Police, 500)));
            }
        }

        public static void The_highest_level_is_perfect_play()
        {
            Check.Equal(Strength.Perfect, Strength.AtLevel(Strength.MaxLevel));
        }

        public static void A_disposed_opponent_refuses_to_play()
        {
            var opponent = new Opponent(Strength.Hard, 3);
            opponent.Dispose();
            Check.Throws<ObjectDisposedException>("", () => opponent.Restart(1));
        }

        /// <summary>Calls a function with each line of the vectors: the table of the line, its first word,
        /// and its fields.</summary>
        private static void EachLine(Action<Table, string, string[]> visit)
        {
            Table table = null;
            try
            {
                foreach (var line in File.ReadLines(Path.Combine(Golden.Folder, Vectors)))
                {
                    var space = line.IndexOf(' ');
                    var word = line.Substring(0, space);
                    var fields = Fields(line.Substring(space + 1));
                    if (word == "table")
                    {
                        table?.Dispose();
                        table = Open.Path(Golden.Path(fields[0])).Pursuit();
                    }
                    visit(table, word, fields);
                }
            }
            finally
            {
                table?.Dispose();
            }
        }

        private static List<Position> Play(Table table, string[] fields)
        {
            var players = new Dictionary<Side, Opponent>
            {
                { Side.Police, OpponentOf(fields[0]) },
                { Side.Thief, OpponentOf(fields[1]) },
            };
            var game = new List<Position> { PositionOf(fields[2]) };
            foreach (var expected in fields[3].Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries))
            {
                var at = game[game.Count - 1];
                var player = players[at.Turn];
                Move move, again;
                using (var copy = player.Copy())
                {
                    Check.That(player.TryChoose(table, at, out move), "a move");
                    Check.That(copy.TryChoose(table, at, out again), "a move");
                    Check.Equal(move.To.ToString(), again.To.ToString());
                    Check.Equal(player.State, copy.State);
                }
                Check.Equal(PiecesOf(expected).ToString(), move.To.ToString());
                game.Add(at.After(move));
            }
            foreach (var player in players.Values)
            {
                player.Dispose();
            }
            return game;
        }

        private static void CheckReview(Review found, string[] fields)
        {
            var sums = new[] { found.Moves.Length, found.Errors, found.Blunders, found.Drops, found.PliesLost };
            Check.Equal(fields[1], string.Join(" ", sums));
            var worst = found.Worst(3).Select(move => move.Ply.ToString(CultureInfo.InvariantCulture));
            Check.Equal(fields[2], string.Join(" ", worst));
        }

        private static string[] Fields(string text)
        {
            return text.Split(':', '|', '=').Select(field => field.Trim()).ToArray();
        }

        private static int Number(string text)
        {
            return int.Parse(text, CultureInfo.InvariantCulture);
        }

        private static Side SideOf(string text)
        {
            return text == "police" ? Side.Police : Side.Thief;
        }

        private static Strength StrengthOf(string text)
        {
            var numbers = text.Split(',').Select(Number).ToArray();
            return new Strength
            {
                Errors = numbers[0],
                Blunders = numbers[1],
                Plies = numbers[2],
                Drop = numbers[3],
                Horizon = numbers[4],
                Reaction = numbers[5],
            };
        }

        private static Style StyleOf(string text)
        {
            switch (text)
            {
                case "longest":
                    return Style.Longest;
                case "uniform":
                    return Style.Trickiest;
                default:
                    return Style.TrickiestAgainst(StrengthOf(text));
            }
        }

        private static Opponent OpponentOf(string text)
        {
            var words = text.Split(' ');
            var seed = words.Length > 2 ? ulong.Parse(words[2], CultureInfo.InvariantCulture) : 0;
            return new Opponent(StrengthOf(words[0]), StyleOf(words[1]), seed);
        }

        private static Pieces PiecesOf(string text)
        {
            return text.Split('+').Select(cell => cell.Split(',')).Select(CellOf).ToArray();
        }

        private static Cell CellOf(string[] numbers)
        {
            return new Cell(ushort.Parse(numbers[0], CultureInfo.InvariantCulture),
                ushort.Parse(numbers[1], CultureInfo.InvariantCulture));
        }

        private static Position PositionOf(string text)
        {
            var words = text.Split(' ');
            return new Position(PiecesOf(words[0]), CellOf(words[1].Split(',')), SideOf(words[2]));
        }
    }
}
