// What the samples for Unity use of UnityEngine, so that they can be compiled without it.
namespace UnityEngine
{
    /// <summary>The class of components.</summary>
    public class MonoBehaviour
    {
    }

    /// <summary>The attribute of a field that the editor shows.</summary>
    public sealed class SerializeField : System.Attribute
    {
    }

    /// <summary>An asset of bytes.</summary>
    public sealed class TextAsset
    {
        /// <summary>The bytes of the asset.</summary>
        public byte[] bytes
        {
            get { return new byte[0]; }
        }
    }
}
