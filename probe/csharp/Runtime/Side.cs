namespace Dragnet
{
    /// <summary>One of the two sides.</summary>
    public enum Side
    {
        /// <summary>The police, with one officer or several.</summary>
        Police = 1,

        /// <summary>The thief.</summary>
        Thief = 2,
    }

    /// <summary>The result of a position if both sides play as well as possible.</summary>
    public enum Outcome
    {
        /// <summary>Nobody wins.</summary>
        Draw = 0,

        /// <summary>The police wins.</summary>
        Police = 1,

        /// <summary>The thief wins.</summary>
        Thief = 2,
    }

    /// <summary>Conversions of the library's numbers.</summary>
    internal static class Sides
    {
        /// <summary>Returns the side of a number, null for nobody.</summary>
        internal static Side? Of(int number)
        {
            return number == 0 ? null : (Side?)number;
        }

        /// <summary>Returns a distance in plies, null for the distance of a draw.</summary>
        internal static int? Plies(uint distance)
        {
            if (distance == uint.MaxValue)
            {
                return null;
            }
            return distance > int.MaxValue ? int.MaxValue : (int)distance;
        }
    }
}
