using System;
using System.Linq;
using System.Threading;

namespace Dragnet.Tests
{
    /// <summary>Tests of calls from several threads.</summary>
    internal static class ThreadTests
    {
        public static void Threads_ask_one_table_at_once()
        {
            // So small that blocks are read and decompressed again and again.
            Cache.SetLimit(8 << 10);
            foreach (var name in Golden.Names)
            {
                using (var table = Open.Path(Golden.Path(name)).Pursuit())
                {
                    var positions = Golden.Positions(table).ToArray();
                    var expected = table.GetValues(positions);
                    InThreads(4, thread =>
                    {
                        for (var round = 0; round < 5; round++)
                        {
                            for (var i = thread; i < positions.Length; i++)
                            {
                                Check.Equal(expected[i], table.GetValue(positions[i]));
                            }
                        }
                    });
                }
            }
            var used = Cache.GetStatistics();
            Check.Equal(8L << 10, used.Limit);
            Check.That(used.Misses > 0 && used.Hits > 0, "hits and misses");
            Cache.SetLimit(32 << 20);
        }

        public static void Each_thread_receives_its_own_message()
        {
            using (var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit())
            {
                InThreads(4, thread =>
                {
                    var bad = new Position((0, 0), (1000 + thread, 0), Side.Police);
                    for (var i = 0; i < 2000; i++)
                    {
                        Check.Throws<InvalidPositionException>((1000 + thread) + ",0", () => table.GetValue(bad));
                    }
                });
            }
        }

        public static void A_table_may_be_disposed_while_others_ask_it()
        {
            for (var round = 0; round < 20; round++)
            {
                var table = Open.Path(Golden.Path("v2-size.dtb")).Pursuit();
                var positions = Golden.Positions(table).ToArray();
                var expected = table.GetValues(positions);
                InThreads(3, thread =>
                {
                    if (thread == 0)
                    {
                        Thread.Sleep(2);
                        table.Dispose();
                        return;
                    }
                    try
                    {
                        for (var i = 0; ; i = (i + 1) % positions.Length)
                        {
                            Check.Equal(expected[i], table.GetValue(positions[i]));
                        }
                    }
                    catch (ObjectDisposedException)
                    {
                    }
                });
            }
        }

        /// <summary>Runs an action in several threads, and throws what one of them throws.</summary>
        private static void InThreads(int count, Action<int> action)
        {
            var errors = new Exception[count];
            var threads = Enumerable.Range(0, count).Select(number => new Thread(() =>
            {
                try
                {
                    action(number);
                }
                catch (Exception error)
                {
                    errors[number] = error;
                }
            })).ToArray();
            foreach (var thread in threads)
            {
                thread.Start();
            }
            foreach (var thread in threads)
            {
                thread.Join();
            }
            var failed = errors.FirstOrDefault(error => error != null);
            if (failed != null)
            {
                throw new CheckException(failed.ToString());
            }
        }
    }
}
