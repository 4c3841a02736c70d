/** Copies the address of the page, and returns a sentence that says where it is now. */
export async function copyAddress(): Promise<string> {
  try {
    await navigator.clipboard.writeText(location.href);
    return "The link is copied";
  } catch {
    return "The link is in the address line";
  }
}
