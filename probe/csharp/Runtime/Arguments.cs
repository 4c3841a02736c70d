using System;

namespace Dragnet
{
    /// <summary>Checks of arguments that are made before the library is called.</summary>
    internal static class Arguments
    {
        /// <summary>Returns an argument that is not null.</summary>
        internal static T NotNull<T>(T argument, string parameter) where T : class
        {
            if (argument == null)
            {
                throw new ArgumentNullException(parameter);
            }
            return argument;
        }

        /// <summary>Returns a number that is within its bounds.</summary>
        internal static int Within(int number, int least, int most, string parameter)
        {
            if (number < least || number > most)
            {
                throw new ArgumentOutOfRangeException(
                    parameter, number, "expected a number from " + least + " to " + most);
            }
            return number;
        }

        /// <summary>Returns a number that is not below its bound.</summary>
        internal static int AtLeast(int number, int least, string parameter)
        {
            if (number < least)
            {
                throw new ArgumentOutOfRangeException(parameter, number, "expected a number of at least " + least);
            }
            return number;
        }
    }
}
