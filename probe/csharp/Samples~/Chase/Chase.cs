using Dragnet;
using UnityEngine;

/// <summary>A policeman who never errs. Put the bytes of a table into the project as NAME.dtb.bytes, assign
/// them to the component, and call <see cref="Reply"/> when the thief has moved.</summary>
public sealed class Chase : MonoBehaviour
{
    /// <summary>The bytes of the table.</summary>
    [SerializeField] private TextAsset tableBytes;

    private Table table;

    private void Awake()
    {
        table = Open.Bytes(tableBytes.bytes).Pursuit();
    }

    private void OnDestroy()
    {
        table.Dispose();
    }

    /// <summary>Returns the best cell for the officer, or its own cell if it cannot move.</summary>
    public Cell Reply(Cell officer, Cell thief)
    {
        Move best;
        return table.TryGetBestMove(new Position(officer, thief, Side.Police), out best) ? best.To[0] : officer;
    }

    /// <summary>Returns whether the thief, who is to move, is caught within a number of plies.</summary>
    public bool IsCaughtWithin(Cell officer, Cell thief, int plies)
    {
        return table.GetValue(new Position(officer, thief, Side.Thief)).WinsWithin(Side.Police, plies);
    }
}
