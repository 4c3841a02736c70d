namespace Dragnet.Tests
{
    /// <summary>Tests of game tables.</summary>
    internal static class GameTableTests
    {
        public static void A_game_table_answers_as_the_c_library_documents()
        {
            using (var table = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            {
                table.CheckSums();
                var value = table.GetValue(31);
                Check.Equal(Result.Won, value.Result);
                Check.Equal((int?)31, value.Dtw);
                Check.Equal("won in 31", value.ToString());
                Check.Equal(131L, table.GetInfo().Positions);
                Check.That(table.Name.Length > 0, "a name");
            }
        }

        public static void Every_way_of_opening_gives_the_same_game_table()
        {
            var path = Golden.Path("v2-graph.dtb");
            var bytes = Golden.Bytes("v2-graph.dtb");
            var kept = System.Runtime.InteropServices.GCHandle.Alloc(
                bytes, System.Runtime.InteropServices.GCHandleType.Pinned);
            var tables = new[]
            {
                Open.Path(path).Game(), Open.Mapped(path).Game(), Open.Whole(path).Game(), Open.Bytes(bytes).Game(),
                Open.KeptBytes(kept.AddrOfPinnedObject(), bytes.Length).Game(),
            };
            foreach (var table in tables)
            {
                Check.Equal(tables[0].GetInfo().Digest, table.GetInfo().Digest);
                Check.Equal((int?)31, table.GetValue(31).Dtw);
            }
            foreach (var table in tables)
            {
                table.Dispose();
            }
            kept.Free();
        }

        public static void A_table_of_any_kind_is_opened_as_the_kind_it_is()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Any())
            using (var game = Open.Path(Golden.Path("v2-graph.dtb")).Any())
            using (var partial = Open.Path(Golden.Path("v2-outcomes.dtb")).Any())
            {
                Check.That(table is Table && game is GameTable && partial is PartialTable, "the kinds");
                table.CheckSums();
                game.CheckSums();
                partial.CheckSums();
            }
            Check.Throws<UnreadableFileException>("no-such.dtb", () => Open.Path("no-such.dtb").Any());
        }

        public static void Batches_and_single_calls_agree_and_their_counts_are_those_of_the_header()
        {
            using (var table = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            {
                var info = table.GetInfo();
                var positions = new ulong[info.Positions];
                for (var i = 0; i < positions.Length; i++)
                {
                    positions[i] = (ulong)i;
                }
                var values = new GameValue[positions.Length];
                table.GetValues(positions, values);
                var counts = new long[3];
                for (var i = 0; i < positions.Length; i++)
                {
                    Check.Equal(values[i], table.GetValue(positions[i]));
                    counts[(int)values[i].Result]++;
                }
                Check.Equal(info.Drawn, counts[(int)Result.Drawn]);
                Check.Equal(info.Won, counts[(int)Result.Won]);
                Check.Equal(info.Lost, counts[(int)Result.Lost]);
            }
        }

        public static void The_best_successor_is_the_one_that_loses_soonest()
        {
            using (var table = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            {
                int best;
                // Position 31 is won for the opponent, position 0 is lost for him.
                Check.Equal(Result.Lost, table.GetValue(0).Result);
                Check.That(table.TryGetBest(new ulong[] { 31, 0, 31 }, out best), "a successor");
                Check.Equal(1, best);
                Check.That(!table.TryGetBest(new ulong[0], out best), "no successor");
            }
        }

        public static void A_position_that_is_too_large_is_refused()
        {
            using (var table = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            {
                Check.Throws<InvalidPositionException>("131", () => table.GetValue(131));
                var error = Check.Throws<InvalidPositionException>(
                    "999", () => table.GetValues(new ulong[] { 1, 999 }, new GameValue[2]));
                Check.Equal((int?)1, error.Index);
                int best;
                Check.Throws<InvalidPositionException>("999", () => table.TryGetBest(new ulong[] { 999 }, out best));
            }
        }
    }
}
