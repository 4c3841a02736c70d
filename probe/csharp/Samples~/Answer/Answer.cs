using System;
using System.Globalization;
using System.IO;
using System.Text;
using Dragnet;

/// <summary>Answers a stream of positions as `dragnet probe TABLE --stdin` does: reads lines "police_row
/// police_col thief_row thief_col turn", with two numbers for each officer, and with the world behind the
/// turn unless it is 0; or numbers of positions of a game table. Prints lines "outcome TAB dtw". Usage:
/// Answer TABLE</summary>
internal static class Answer
{
    private static int Main(string[] arguments)
    {
        if (arguments.Length != 1)
        {
            Console.Error.WriteLine("usage: Answer TABLE");
            return 2;
        }
        var input = new StreamReader(Console.OpenStandardInput());
        using (var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16))
        {
            output.NewLine = "\n";
            try
            {
                Run(arguments[0], input, output);
                return 0;
            }
            catch (FormatException error)
            {
                output.Flush();
                Console.Error.WriteLine(error.Message);
                return 2;
            }
            catch (DragnetException error)
            {
                output.Flush();
                Console.Error.WriteLine("{0}: {1}", error.Status, error.Message);
                return 3;
            }
        }
    }

    private static void Run(string path, TextReader input, TextWriter output)
    {
        try
        {
            using (var table = Open.Path(path).Pursuit())
            {
                Run(table, input, output);
            }
        }
        catch (WrongKindException)
        {
            using (var table = Open.Path(path).Game())
            {
                Run(table, input, output);
            }
        }
    }

    private static void Run(Table table, TextReader input, TextWriter output)
    {
        var officers = new Cell[table.Info.Officers];
        for (var line = input.ReadLine(); line != null; line = input.ReadLine())
        {
            var value = table.GetValue(Parse(line, officers));
            var outcome = value.Winner == null ? "draw" : value.Winner == Side.Police ? "police" : "thief";
            output.WriteLine(outcome + "\t" + (value.Dtw == null ? "-" : value.Dtw.ToString()));
        }
    }

    private static void Run(GameTable table, TextReader input, TextWriter output)
    {
        for (var line = input.ReadLine(); line != null; line = input.ReadLine())
        {
            ulong position;
            if (!ulong.TryParse(line.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out position))
            {
                throw new FormatException("expected the number of a position, found " + line);
            }
            var value = table.GetValue(position);
            output.WriteLine(
                value.Result.ToString().ToLowerInvariant() + "\t" + (value.Dtw == null ? "-" : value.Dtw.ToString()));
        }
    }

    /// <summary>Returns the position on a line.</summary>
    private static Position Parse(string line, Cell[] officers)
    {
        var words = line.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
        var numbers = new int[2 * officers.Length + 2];
        var world = 0;
        var valid = words.Length == numbers.Length + 1 || (words.Length == numbers.Length + 2
            && int.TryParse(words[numbers.Length + 1], NumberStyles.None, CultureInfo.InvariantCulture, out world));
        for (var i = 0; valid && i < numbers.Length; i++)
        {
            valid = int.TryParse(words[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i])
                && numbers[i] <= ushort.MaxValue;
        }
        var turn = valid ? words[numbers.Length] : "";
        if (turn != "police" && turn != "thief")
        {
            throw new FormatException("expected the cells of all pieces and police or thief, found " + line);
        }
        for (var i = 0; i < officers.Length; i++)
        {
            officers[i] = new Cell(numbers[2 * i], numbers[2 * i + 1]);
        }
        var thief = new Cell(numbers[numbers.Length - 2], numbers[numbers.Length - 1]);
        return new Position(officers, thief, turn == "police" ? Side.Police : Side.Thief, world);
    }
}
