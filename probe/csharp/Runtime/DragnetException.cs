using System;

namespace Dragnet
{
    /// <summary>The reason why a call of the library failed.</summary>
    public enum Status
    {
        /// <summary>The call succeeded.</summary>
        Ok = 0,

        /// <summary>An argument is invalid, for example rules that cannot be played.</summary>
        Argument = 1,

        /// <summary>A file or folder is missing or cannot be read.</summary>
        File = 2,

        /// <summary>The file is not a table.</summary>
        NotATable = 3,

        /// <summary>The table has a format version that the library does not know.</summary>
        Version = 4,

        /// <summary>The table is truncated, was altered, or contradicts itself.</summary>
        Damaged = 5,

        /// <summary>The position does not exist.</summary>
        Position = 6,

        /// <summary>The tablebase has no table for the board and the rules.</summary>
        Missing = 7,

        /// <summary>The system refuses memory.</summary>
        Memory = 8,

        /// <summary>There is a bug in the library.</summary>
        Panic = 9,

        /// <summary>The table is of another kind, or a partial table that does not keep what was asked
        /// for.</summary>
        Kind = 10,

        /// <summary>The question needs more work than a table may ask for.</summary>
        TooMuchWork = 11,

        /// <summary>The caller's function has stopped a check.</summary>
        Stopped = 12,
    }

    /// <summary>The exception of a call of the library that failed. Its message is a line that says what was
    /// expected and what was found. Each reason has a class of its own, so that a program may catch one or
    /// all of them.</summary>
    public class DragnetException : Exception
    {
        /// <summary>Creates the exception of a failure.</summary>
        /// <param name="status">The reason why the call failed.</param>
        /// <param name="message">The library's message.</param>
        public DragnetException(Status status, string message) : base(message)
        {
            Status = status;
        }

        /// <summary>The reason why the call failed.</summary>
        public Status Status { get; }
    }

    /// <summary>The exception of an argument that is invalid, for example rules that cannot be
    /// played.</summary>
    public sealed class InvalidArgumentException : DragnetException
    {
        internal InvalidArgumentException(string message) : base(Status.Argument, message)
        {
        }
    }

    /// <summary>The exception of a file or folder that is missing or cannot be read.</summary>
    public sealed class UnreadableFileException : DragnetException
    {
        internal UnreadableFileException(string message) : base(Status.File, message)
        {
        }
    }

    /// <summary>The exception of a file that is not a table.</summary>
    public sealed class NotATableException : DragnetException
    {
        internal NotATableException(string message) : base(Status.NotATable, message)
        {
        }
    }

    /// <summary>The exception of a table whose format version the library does not know.</summary>
    public sealed class UnknownVersionException : DragnetException
    {
        internal UnknownVersionException(string message) : base(Status.Version, message)
        {
        }
    }

    /// <summary>The exception of a table that is truncated, was altered, or contradicts itself.</summary>
    public sealed class DamagedTableException : DragnetException
    {
        internal DamagedTableException(string message) : base(Status.Damaged, message)
        {
        }
    }

    /// <summary>The exception of a position that does not exist: a piece stands off the board or on a wall,
    /// the number of officers is not the table's, the table has no such world, or the number of a position is
    /// too large.</summary>
    public sealed class InvalidPositionException : DragnetException
    {
        internal InvalidPositionException(string message, int? index) : base(Status.Position, message)
        {
            Index = index;
        }

        /// <summary>The index of the position in a batch, from 0; null if the call was for one
        /// position.</summary>
        public int? Index { get; }
    }

    /// <summary>The exception of a tablebase that has no table for a board and rules.</summary>
    public sealed class MissingTableException : DragnetException
    {
        internal MissingTableException(string message) : base(Status.Missing, message)
        {
        }
    }

    /// <summary>The exception of a question that needs more work than a table may ask for: the position has
    /// too many moves, say.</summary>
    public sealed class TooMuchWorkException : DragnetException
    {
        internal TooMuchWorkException(string message) : base(Status.TooMuchWork, message)
        {
        }
    }

    /// <summary>The exception of memory that the system refuses.</summary>
    public sealed class RefusedMemoryException : DragnetException
    {
        internal RefusedMemoryException(string message) : base(Status.Memory, message)
        {
        }
    }

    /// <summary>The exception of a bug in the library. Tables stay usable. Please report it.</summary>
    public sealed class LibraryBugException : DragnetException
    {
        internal LibraryBugException(string message) : base(Status.Panic, message)
        {
        }
    }

    /// <summary>The exception of a check that the caller's function has stopped before the table's
    /// end.</summary>
    public sealed class StoppedException : DragnetException
    {
        internal StoppedException(string message) : base(Status.Stopped, message)
        {
        }
    }

    /// <summary>The exception of a question about something that a partial table does not keep.</summary>
    public sealed class NotKeptException : DragnetException
    {
        internal NotKeptException(string message, Keep keeps) : base(Status.Kind, message)
        {
            Keeps = keeps;
        }

        /// <summary>The part that the table keeps.</summary>
        public Keep Keeps { get; }
    }

    /// <summary>The exception of a table of another kind: a game table was opened as a pursuit table,
    /// say.</summary>
    public sealed class WrongKindException : DragnetException
    {
        internal WrongKindException(string message) : base(Status.Kind, message)
        {
        }
    }
}
