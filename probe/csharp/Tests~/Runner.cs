using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Dragnet.Tests
{
    /// <summary>The exception of a check that failed.</summary>
    internal sealed class CheckException : Exception
    {
        internal CheckException(string message) : base(message)
        {
        }
    }

    /// <summary>What tests expect.</summary>
    internal static class Check
    {
        internal static void That(bool condition, string what)
        {
            if (!condition)
            {
                throw new CheckException("expected " + what);
            }
        }

        internal static void Equal<T>(T expected, T found)
        {
            if (!Equals(expected, found))
            {
                throw new CheckException("expected " + expected + ", found " + found);
            }
        }

        /// <summary>Makes a call that must fail, with a message that contains some words.</summary>
        internal static T Throws<T>(string words, Action call) where T : Exception
        {
            try
            {
                call();
            }
            catch (T error)
            {
                if (error.GetType() != typeof(T) || error.Message.IndexOf(words, StringComparison.Ordinal) < 0)
                {
                    throw new CheckException(
                        "expected " + typeof(T).Name + " with " + words + ", found " + error.GetType().Name + ": "
                        + error.Message);
                }
                return error;
            }
            throw new CheckException("expected " + typeof(T).Name + ", found no exception");
        }
    }

    /// <summary>Runs the tests, which are the public methods of the classes whose names end in Tests. Usage:
    /// tests GOLDEN [WORD], where GOLDEN is the folder of the golden tables and WORD a part of the name of
    /// the tests to run; or tests games VECTORS FOLDER, which runs the tests of opponents with the games of
    /// the file VECTORS, whose tables are in FOLDER; or tests ask TABLE, which prints all answers of a table
    /// as tests/programs/ask.c of the C library does; or tests layout, which prints the sizes and offsets of
    /// the structures.</summary>
    internal static class Runner
    {
        private static int Main(string[] arguments)
        {
            if (arguments.Length == 2 && arguments[0] == "ask")
            {
                Answers.Print(arguments[1]);
                return 0;
            }
            if (arguments.Length == 1 && arguments[0] == "layout")
            {
                Layout.Print();
                return 0;
            }
            var games = arguments.Length == 3 && arguments[0] == "games";
            Golden.Folder = games ? arguments[2] : arguments[0];
            var word = games ? "_the_page" : arguments.Length > 1 ? arguments[1] : "";
            if (games)
            {
                OpponentTests.Vectors = Path.GetFullPath(arguments[1]);
            }
            var tests = typeof(Runner).Assembly.GetTypes()
                .Where(type => type.Name.EndsWith("Tests", StringComparison.Ordinal))
                .SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly))
                .Where(test => test.Name.Contains(word))
                .OrderBy(test => test.MetadataToken);
            int passed = 0, failed = 0;
            foreach (var test in tests)
            {
                try
                {
                    test.Invoke(null, null);
                    Console.WriteLine("test {0} ... ok", test.Name);
                    passed++;
                }
                catch (TargetInvocationException error)
                {
                    Console.WriteLine("test {0} ... FAILED", test.Name);
                    Console.WriteLine(Regex.Replace(error.InnerException.ToString(), "(?m)^", "    "));
                    failed++;
                }
            }
            Console.WriteLine(
                "test result: {0}. {1} passed; {2} failed; 0 ignored", failed == 0 ? "ok" : "FAILED", passed, failed);
            return failed == 0 && passed > 0 ? 0 : 1;
        }
    }
}
