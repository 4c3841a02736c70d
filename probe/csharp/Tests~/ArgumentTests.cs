using System;

namespace Dragnet.Tests
{
    /// <summary>Tests of arguments that C# refuses itself: null, and numbers out of their bounds.</summary>
    internal static class ArgumentTests
    {
        public static void The_worst_moves_are_as_many_as_there_are_whatever_number_is_asked_for()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                var start = new Position((0, 8), (0, 12), Side.Police);
                var game = new[] { start, new Position((0, 8), (0, 12), Side.Thief) };
                var review = table.Review(game, Side.Police);
                Check.Equal(1, review.Errors);
                Check.Equal(1, review.Worst(int.MaxValue).Length);
                Check.Equal(1, review.Worst(1).Length);
                Check.Equal(0, review.Worst(0).Length);
                OutOfRange("count", "at least 0", -1, () => review.Worst(-1));
                OutOfRange("count", "at least 0", int.MinValue, () => review.Worst(int.MinValue));
                Check.Equal(0, table.Review(new[] { start }, Side.Police).Worst(int.MaxValue).Length);
            }
        }

        public static void Numbers_of_opponents_have_bounds()
        {
            var strength = Strength.Easy;
            OutOfRange("Errors", "from 0 to 1000", -1, () => strength.Errors = -1);
            OutOfRange("Blunders", "from 0 to 1000", 1001, () => strength.Blunders = 1001);
            OutOfRange("Plies", "from 0 to 1073741823", -1, () => strength.Plies = -1);
            OutOfRange("Drop", "from 0 to 2", 3, () => strength.Drop = 3);
            OutOfRange("Horizon", "from 0 to 1073741823", int.MaxValue, () => strength.Horizon = int.MaxValue);
            OutOfRange("Reaction", "from 0 to 8", 9, () => strength.Reaction = 9);
            Check.Equal(Strength.Easy, strength);
            OutOfRange("level", "from 0 to 1000", -1, () => Strength.AtLevel(-1));
            OutOfRange("level", "from 0 to 1000", 1001, () => Strength.AtLevel(1001));
            OutOfRange("share", "from 0 to 1000", -1, () => new Target(Side.Police, -1).ToString());
            OutOfRange("share", "from 0 to 1000", 1001, () => new Target(Side.Police, 1001).ToString());
            var target = new Target(Side.Police, 500);
            OutOfRange("Games", "from 1 to 100000", 0, () => target.Games = 0);
            OutOfRange("Games", "from 1 to 100000", 100001, () => target.Games = 100001);
            Check.Equal(200, target.Games);
        }

        public static void The_library_accepts_every_number_at_its_bound()
        {
            var strength = new Strength
            {
                Errors = 1000,
                Blunders = 1000,
                Plies = Strength.Unlimited,
                Drop = 2,
                Horizon = Strength.Unlimited,
                Reaction = 8,
            };
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            using (var opponent = new Opponent(strength, Style.TrickiestAgainst(strength), ulong.MaxValue))
            {
                Move move;
                Check.That(
                    opponent.TryChoose(table, new Position((0, 8), (0, 12), Side.Police), out move), "a move");
            }
        }

        public static void The_number_of_open_tables_has_bounds()
        {
            var folders = new[] { Golden.Folder };
            OutOfRange("openTables", "at least 1", 0, () => Tablebase.Open(folders, 0));
            OutOfRange("openTables", "at least 1", -5, () => Tablebase.Open(folders, -5));
        }

        public static void Null_is_refused_by_name()
        {
            var at = new Position((0, 8), (0, 12), Side.Police);
            Move move;
            using (var opponent = new Opponent(Strength.Hard, 3))
            {
                Null("table", () => opponent.TryChoose(null, at, out move));
            }
            Null("folders", () => Tablebase.Open((string[])null));
            Null("folders", () => Tablebase.Open(Golden.Folder, null));
            Null("bytes", () => Open.KeptBytes(IntPtr.Zero, 1).Pursuit());
            using (var tables = Tablebase.Open(Golden.Folder))
            {
                Table found;
                Null("source", () => tables.GetTable(null));
                Null("source", () => tables.TryGetTable(null, out found));
            }
        }

        private static void Null(string parameter, Action call)
        {
            Check.Equal(parameter, Check.Throws<ArgumentNullException>("", call).ParamName);
        }

        private static void OutOfRange(string parameter, string bounds, int number, Action call)
        {
            var error = Check.Throws<ArgumentOutOfRangeException>(bounds, call);
            Check.Equal(parameter, error.ParamName);
            Check.Equal((object)number, error.ActualValue);
        }
    }
}
