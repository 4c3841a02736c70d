/** Fetches a file. Throws an error with its address unless the answer is a success. */
export async function fetchFile(url: string, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(url, { signal: signal ?? null });
  if (!answer.ok) throw new Error(`${url}: expected success, found status ${answer.status}`);
  return answer;
}
