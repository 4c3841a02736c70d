using System;
using System.IO;
using System.Text;

namespace Dragnet.Tests
{
    /// <summary>All answers of a table, printed as tests/programs/ask.c of the C library prints
    /// them.</summary>
    internal static class Answers
    {
        internal static void Print(string path)
        {
            using (var writer = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16))
            using (var table = Open.Path(path).Pursuit())
            {
                writer.NewLine = "\n";
                Properties(writer, table);
                var positions = Golden.Positions(table).ToArray();
                var values = table.GetValues(positions);
                for (var i = 0; i < positions.Length; i++)
                {
                    Answer(writer, table, positions[i], values[i]);
                }
            }
        }

        private static void Properties(TextWriter writer, Table table)
        {
            var info = table.Info;
            writer.WriteLine("{0} {1} {2} {3}", info.Height, info.Width, info.OpenCells, info.Positions);
            foreach (var counts in new[] { info.PoliceToMove, info.ThiefToMove })
            {
                writer.WriteLine("{0} {1} {2}", counts.Police, counts.Thief, counts.Draw);
            }
            writer.WriteLine(
                "{0} {1} {2:x16} {3} {4}", info.LongestPolice, info.LongestThief, info.Digest, info.FileLength,
                info.Memory);
            writer.WriteLine(
                "{0} {1} {2} {3} {4} {5} {6}", info.OfficerLayers, info.ThiefLayers, info.Officers, (int)info.Team,
                (int)info.Stuck, Number(info.Undecided), info.Worlds);
            writer.WriteLine(table.Source);
            foreach (var square in table.Board.Squares)
            {
                writer.Write((int)square);
            }
            writer.WriteLine();
        }

        private static void Answer(TextWriter writer, Table table, Position at, Value batched)
        {
            var value = table.GetValue(at);
            Check.Equal(value, batched);
            writer.Write(
                "{0} {1} {2} {3}: {4} {5}", at.Police, at.Thief, (int)at.Turn, at.World, Text(value),
                Number(table.GetWinner(at)));
            var moves = table.GetMoves(at);
            Write(writer, moves);
            Move best;
            Check.Equal(moves.Length > 0, table.TryGetBestMove(at, out best));
            Check.That(moves.Length == 0 || best.ToString() == moves[0].ToString(), "the first move of all");
            var line = table.GetLine(at);
            Write(writer, line.Moves);
            writer.WriteLine(" {0}", Number(line.Winner));
        }

        private static void Write(TextWriter writer, Move[] moves)
        {
            writer.Write(" [");
            foreach (var move in moves)
            {
                writer.Write(" {0} {1} {2} {3}", (int)move.Side, move.To, move.World, Text(move.Value));
            }
            writer.Write(" ]");
        }

        private static string Text(Value value)
        {
            return (int)value.Outcome + " " + (value.Dtw == null ? uint.MaxValue : (uint)value.Dtw.Value);
        }

        private static int Number(Side? side)
        {
            return side == null ? 0 : (int)side.Value;
        }
    }
}
