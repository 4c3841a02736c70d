using System;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Dragnet.Tests
{
    /// <summary>The sizes and offsets of the structures, printed as layout.c prints those of
    /// dragnet.h.</summary>
    internal static class Layout
    {
        internal static void Print()
        {
            Size("cell", typeof(Cell));
            Size("position", typeof(Position));
            Offset("position", typeof(Position), "_thief", "thief");
            Offset("position", typeof(Position), "_turn", "turn");
            Offset("position", typeof(Position), "_officers", "officers");
            Offset("position", typeof(Position), "_world", "world");
            Size("value", typeof(Value));
            Offset("value", typeof(Value), "_distance", "dtw");
            Size("move", typeof(Move));
            Offset("move", typeof(Move), "_to", "count");
            Offset("move", typeof(Move), "_world", "world");
            Offset("move", typeof(Move), "_value", "value");
            Size("game_value", typeof(GameValue));
            Offset("game_value", typeof(GameValue), "_distance", "dtw");
            Size("strength", typeof(Strength));
            Offset("strength", typeof(Strength), "_reaction", "reaction");
            Size("style", typeof(Style));
            Offset("style", typeof(Style), "_replier", "replier");
            Size("target", typeof(Target));
            Offset("target", typeof(Target), "_style", "style");
            Size("calibration", typeof(Calibration));
            Offset("calibration", typeof(Calibration), "_reached", "reached");
            Offset("calibration", typeof(Calibration), "_to", "to");
            Size("reviewed_move", typeof(ReviewedMove));
            Offset("reviewed_move", typeof(ReviewedMove), "_best", "best");
            Offset("reviewed_move", typeof(ReviewedMove), "_plies", "plies");
            All("progress", "NativeProgress");
            All("review", "NativeReview");
            All("info", "NativeInfo");
            All("game_info", "NativeGameInfo");
            All("tablebase_info", "NativeTablebaseInfo");
            All("source", "NativeSource");
        }

        private static Type Native(string name)
        {
            return typeof(Table).Assembly.GetType("Dragnet." + name, true);
        }

        private static void Size(string name, Type type)
        {
            Console.WriteLine("{0} {1}", name, Marshal.SizeOf(type));
        }

        private static void Offset(string name, Type type, string field, string member)
        {
            Console.WriteLine("{0}.{1} {2}", name, member, Marshal.OffsetOf(type, field));
        }

        private static void All(string name, string native)
        {
            var type = Native(native);
            Size(name, type);
            var fields = type.GetFields(BindingFlags.Instance | BindingFlags.NonPublic).OrderBy(field => field.MetadataToken);
            foreach (var field in fields)
            {
                Offset(name, type, field.Name, field.Name);
            }
        }
    }
}
