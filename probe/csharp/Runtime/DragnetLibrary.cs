using System;

namespace Dragnet
{
    /// <summary>The native library that answers the questions.</summary>
    public static unsafe class DragnetLibrary
    {
        /// <summary>The version of the library that this assembly was made for.</summary>
        public const string ExpectedVersion = "0.1.0";

        private static bool _checked;

        /// <summary>The version of the library that is loaded.</summary>
        public static string Version => Utf8.Text(Native.dragnet_version());

        /// <summary>Throws an exception if the loaded library has another interface.</summary>
        internal static void Check()
        {
            if (_checked)
            {
                return;
            }
            var found = Version;
            if (Interface(found) != Interface(ExpectedVersion))
            {
                throw new TypeLoadException(
                    "expected version " + Interface(ExpectedVersion) + " of the native library dragnet, found " + found);
            }
            _checked = true;
        }

        /// <summary>Returns the part of a version that changes with the interface.</summary>
        private static string Interface(string version)
        {
            var parts = version.Split('.');
            return parts[0] == "0" && parts.Length > 1 ? "0." + parts[1] : parts[0];
        }
    }
}
