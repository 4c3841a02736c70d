using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Dragnet
{
    /// <summary>Marks a static method that native code calls. Ahead-of-time compilers such as IL2CPP find the
    /// attribute by its name, and make the method callable.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type)
        {
            Type = type;
        }

        /// <summary>The delegate of the method.</summary>
        internal Type Type { get; }
    }

    /// <summary>Calls of a caller's function while the library checks a table. The library gets the address
    /// of a static method, and a handle of the object that it passes back.</summary>
    internal sealed unsafe class ProgressCallback
    {
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        private delegate int NativeReport(IntPtr context, ulong done, ulong blocks);

        // The delegate must outlive every call of its address.
        private static readonly NativeReport StaticReport = Report;
        private static readonly IntPtr ReportAddress = Marshal.GetFunctionPointerForDelegate(StaticReport);

        private readonly Func<long, long, bool> _report;
        private ExceptionDispatchInfo _thrown;

        private ProgressCallback(Func<long, long, bool> report)
        {
            _report = report;
        }

        /// <summary>Checks a table as long as a function returns true, and throws the exception of a check
        /// that failed or of the function.</summary>
        internal static void Check(TableHandle table, Func<long, long, bool> report)
        {
            var callback = new ProgressCallback(Arguments.NotNull(report, "report"));
            var context = GCHandle.Alloc(callback);
            int status;
            try
            {
                NativeProgress progress;
                progress.context = GCHandle.ToIntPtr(context);
                progress.report = ReportAddress;
                status = Native.dragnet_table_check_sums(table, &progress);
            }
            finally
            {
                context.Free();
            }
            if (callback._thrown != null)
            {
                callback._thrown.Throw();
            }
            Failures.Check(status);
        }

        /// <summary>Calls the function of a check. An exception must not pass through the library, so it is
        /// kept until the library has returned.</summary>
        [MonoPInvokeCallback(typeof(NativeReport))]
        private static int Report(IntPtr context, ulong done, ulong blocks)
        {
            var callback = (ProgressCallback)GCHandle.FromIntPtr(context).Target;
            try
            {
                return callback._report((long)done, (long)blocks) ? 0 : 1;
            }
            catch (Exception thrown)
            {
                callback._thrown = ExceptionDispatchInfo.Capture(thrown);
                return 1;
            }
        }
    }
}
