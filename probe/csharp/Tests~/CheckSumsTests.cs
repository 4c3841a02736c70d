using System;
using System.Collections.Generic;
using System.Threading;

namespace Dragnet.Tests
{
    /// <summary>Tests of checks that a function follows and may stop.</summary>
    internal static class CheckSumsTests
    {
        private const string Blocks = "v2-team.dtb";

        public static void Progress_counts_the_blocks_to_the_last()
        {
            foreach (var name in Golden.Names)
            {
                using (var table = Open.Path(Golden.Path(name)).Pursuit())
                {
                    CheckProgress(table.CheckSumsWhile);
                }
            }
            using (var table = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            {
                CheckProgress(table.CheckSumsWhile);
            }
            using (var table = Open.Path(Golden.Path("v2-moves-police.dtb")).Partial())
            {
                CheckProgress(table.CheckSumsWhile);
            }
        }

        public static void A_function_that_returns_false_stops_the_check()
        {
            using (var table = Open.Path(Golden.Path(Blocks)).Pursuit())
            {
                var calls = 0;
                var error = Check.Throws<StoppedException>(
                    "", () => table.CheckSumsWhile((done, blocks) => ++calls < 2));
                Check.Equal(Status.Stopped, error.Status);
                Check.Equal(2, calls);
                table.CheckSums();
            }
            using (var table = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            {
                Check.Throws<StoppedException>("", () => table.CheckSumsWhile((done, blocks) => false));
            }
            using (var table = Open.Path(Golden.Path("v2-moves-police.dtb")).Partial())
            {
                Check.Throws<StoppedException>("", () => table.CheckSumsWhile((done, blocks) => false));
            }
        }

        public static void An_exception_of_the_function_reaches_the_caller_as_it_was_thrown()
        {
            using (var table = Open.Path(Golden.Path(Blocks)).Pursuit())
            {
                var calls = 0;
                var thrown = new FormatException("of the function");
                Func<long, long, bool> throwing = (done, blocks) =>
                {
                    calls++;
                    return Throw(thrown);
                };
                var caught = Check.Throws<FormatException>("of the function", () => table.CheckSumsWhile(throwing));
                Check.That(ReferenceEquals(thrown, caught), "the exception itself");
                Check.That(caught.StackTrace.Contains("Throw"), "the stack of the function");
                Check.Equal(1, calls);
                Check.Equal(Outcome.Police, table.GetValue(
                    new Position(new Cell[] { (0, 0), (0, 6) }, (1, 8), Side.Police)).Outcome);
            }
        }

        public static void A_function_may_ask_and_check_the_table_and_fail_in_a_call()
        {
            using (var table = Open.Path(Golden.Path(Blocks)).Pursuit())
            {
                var inner = 0;
                table.CheckSumsWhile((done, blocks) =>
                {
                    table.CheckSumsWhile((innerDone, innerBlocks) =>
                    {
                        inner++;
                        return true;
                    });
                    Check.Throws<UnreadableFileException>("no-such.dtb", () => Open.Path("no-such.dtb").Pursuit());
                    GC.Collect();
                    return true;
                });
                long all = 0;
                table.CheckSumsWhile((done, blocks) => (all = blocks) > 0);
                Check.Equal(all * all, (long)inner);
                Check.Throws<StoppedException>("stopped", () => table.CheckSumsWhile((done, blocks) =>
                {
                    Check.Throws<UnreadableFileException>("no-such.dtb", () => Open.Path("no-such.dtb").Pursuit());
                    return false;
                }));
            }
        }

        public static void A_cancelled_token_ends_the_check()
        {
            using (var table = Open.Path(Golden.Path(Blocks)).Pursuit())
            using (var game = Open.Path(Golden.Path("v2-graph.dtb")).Game())
            using (var source = new CancellationTokenSource())
            {
                table.CheckSums(source.Token);
                game.CheckSums(source.Token);
                source.Cancel();
                var error = Check.Throws<OperationCanceledException>("", () => table.CheckSums(source.Token));
                Check.Equal(source.Token, error.CancellationToken);
                Check.Throws<OperationCanceledException>("", () => game.CheckSums(source.Token));
            }
        }

        public static void Damage_is_found_while_a_function_follows()
        {
            var bytes = Golden.Bytes(Blocks);
            bytes[bytes.Length - 1] ^= 1;
            Check.Throws<DamagedTableException>("", () =>
            {
                using (var table = Open.Bytes(bytes).Pursuit())
                {
                    table.CheckSumsWhile((done, blocks) => true);
                }
            });
        }

        public static void A_check_without_a_function_or_of_a_disposed_table_is_refused()
        {
            var table = Open.Path(Golden.Path(Blocks)).Pursuit();
            var error = Check.Throws<ArgumentNullException>("", () => table.CheckSumsWhile(null));
            Check.Equal("report", error.ParamName);
            table.Dispose();
            Check.Throws<ObjectDisposedException>("", () => table.CheckSumsWhile((done, blocks) => true));
        }

        private static void CheckProgress(Action<Func<long, long, bool>> checkSumsWhile)
        {
            var seen = new List<long>();
            var all = 0L;
            checkSumsWhile((done, blocks) =>
            {
                seen.Add(done);
                all = blocks;
                return true;
            });
            Check.That(all > 0, "blocks");
            Check.Equal(all, (long)seen.Count);
            for (var i = 0; i < seen.Count; i++)
            {
                Check.Equal(i + 1L, seen[i]);
            }
        }

        private static bool Throw(Exception thrown)
        {
            throw thrown;
        }
    }
}
