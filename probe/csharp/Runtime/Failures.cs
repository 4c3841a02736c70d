using System;

namespace Dragnet
{
    /// <summary>The conversion of statuses to exceptions.</summary>
    internal static unsafe class Failures
    {
        /// <summary>Throws the exception of a call that failed.</summary>
        internal static void Check(int status)
        {
            if (status != (int)Status.Ok)
            {
                throw Exception(status, null);
            }
        }

        /// <summary>Throws the exception of a batch that failed because of position number
        /// `failed`.</summary>
        internal static void Check(int status, UIntPtr failed, int count)
        {
            if (status != (int)Status.Ok)
            {
                var index = (ulong)failed;
                throw Exception(status, index < (ulong)count ? (int?)index : null);
            }
        }

        /// <summary>Returns the message of the last call that failed in this thread.</summary>
        internal static string Message()
        {
            return Utf8.Text(Native.dragnet_last_error());
        }

        private static DragnetException Exception(int status, int? index)
        {
            var message = Message();
            switch ((Status)status)
            {
                case Status.Argument:
                    return new InvalidArgumentException(message);
                case Status.File:
                    return new UnreadableFileException(message);
                case Status.NotATable:
                    return new NotATableException(message);
                case Status.Version:
                    return new UnknownVersionException(message);
                case Status.Damaged:
                    return new DamagedTableException(message);
                case Status.Position:
                    return new InvalidPositionException(message, index);
                case Status.Missing:
                    return new MissingTableException(message);
                case Status.Memory:
                    return new RefusedMemoryException(message);
                case Status.Panic:
                    return new LibraryBugException(message);
                case Status.Kind:
                    return new WrongKindException(message);
                case Status.TooMuchWork:
                    return new TooMuchWorkException(message);
                case Status.Stopped:
                    return new StoppedException(message);
                default:
                    return new DragnetException((Status)status, message);
            }
        }
    }
}
