using System.Collections.Generic;
using System.IO;

namespace Dragnet.Tests
{
    /// <summary>The golden tables of the repository.</summary>
    internal static class Golden
    {
        internal static readonly string[] Names =
        {
            "v2-size.dtb", "v2-speed.dtb", "v2-team.dtb", "v2-cops.dtb", "v2-doors.dtb", "v2-searchlights.dtb",
        };

        internal static string Folder { get; set; }

        internal static string Path(string name)
        {
            return System.IO.Path.Combine(Folder, name);
        }

        internal static byte[] Bytes(string name)
        {
            return File.ReadAllBytes(Path(name));
        }

        /// <summary>Returns every position of a table, in the order of ask.c.</summary>
        internal static List<Position> Positions(Table table)
        {
            var cells = table.Board.OpenCells();
            var positions = new List<Position>();
            for (var world = 0; world < table.Info.Worlds; world++)
            {
                var team = new int[table.Info.Officers];
                do
                {
                    var police = new Cell[team.Length];
                    for (var i = 0; i < team.Length; i++)
                    {
                        police[i] = cells[team[i]];
                    }
                    foreach (var thief in cells)
                    {
                        positions.Add(new Position(police, thief, Side.Police, world));
                        positions.Add(new Position(police, thief, Side.Thief, world));
                    }
                }
                while (NextTeam(team, cells.Length));
            }
            return positions;
        }

        /// <summary>Advances a team of cell numbers in ascending order, and returns whether there was a next
        /// one.</summary>
        private static bool NextTeam(int[] team, int cells)
        {
            for (var i = 0; i < team.Length; i++)
            {
                if (team[i] + 1 < (i + 1 < team.Length ? team[i + 1] + 1 : cells))
                {
                    team[i]++;
                    for (var j = 0; j < i; j++)
                    {
                        team[j] = 0;
                    }
                    return true;
                }
            }
            return false;
        }
    }
}
