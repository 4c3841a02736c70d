using System;
using System.Text;

namespace Dragnet
{
    /// <summary>Conversions between strings and the UTF-8 texts of the library.</summary>
    internal static unsafe class Utf8
    {
        // Refuses halves of surrogate pairs, which have no UTF-8.
        private static readonly Encoding Strict = new UTF8Encoding(false, true);

        /// <summary>A call that copies a text to a buffer with room for `capacity` bytes.</summary>
        internal delegate int Copy(byte* buffer, UIntPtr capacity, UIntPtr* length);

        /// <summary>Returns a text with a final NUL.</summary>
        internal static byte[] Bytes(string text, string parameter)
        {
            if (text == null)
            {
                throw new ArgumentNullException(parameter);
            }
            if (text.IndexOf('\0') >= 0)
            {
                throw new ArgumentException("expected a text without NUL, found one", parameter);
            }
            try
            {
                var bytes = new byte[Strict.GetByteCount(text) + 1];
                Strict.GetBytes(text, 0, text.Length, bytes, 0);
                return bytes;
            }
            catch (EncoderFallbackException error)
            {
                throw new ArgumentException("expected a valid text, found half of a character", parameter, error);
            }
        }

        /// <summary>Returns the text that ends before a NUL.</summary>
        internal static string Text(byte* text)
        {
            var length = 0;
            while (text[length] != 0)
            {
                length++;
            }
            return length == 0 ? "" : Encoding.UTF8.GetString(text, length);
        }

        /// <summary>Returns the text that a call of the library copies.</summary>
        internal static string Text(Copy copy)
        {
            UIntPtr length;
            Failures.Check(copy(null, UIntPtr.Zero, &length));
            var buffer = new byte[checked((int)length + 1)];
            fixed (byte* bytes = buffer)
            {
                Failures.Check(copy(bytes, (UIntPtr)buffer.Length, &length));
                return Text(bytes);
            }
        }
    }
}
