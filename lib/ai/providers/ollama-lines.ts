/** What Ollama answers: lines of JSON, and refusals. Its own library writes what it cannot read to the terminal. */

/** Characters of a refusal that are read. */
const REFUSAL_MAX = 4096;

/** What a status other than a good one says, in the form of vendors' libraries. */
export async function refusal(response: Response): Promise<Error> {
  const text = (await response.text()).slice(0, REFUSAL_MAX);
  const { status, statusText, headers } = response;
  let error: unknown = text;
  try {
    error = (JSON.parse(text) as { error?: unknown }).error ?? text;
  } catch {
    // SyntaxError: it is said in plain words.
  }
  return Object.assign(new Error(`${status} ${statusText}`), { status, headers, error });
}

/** Objects of lines of JSON; blank lines are none. Throws SyntaxError. */
export async function* linesOf<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const decoder = new TextDecoder();
  let rest = '';
  const parsed = (line: string): T[] => (line.trim() === '' ? [] : [JSON.parse(line) as T]);
  for await (const piece of body) {
    const text = decoder.decode(piece, { stream: true });
    rest += text;
    if (!text.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield* parsed(line);
  }
  yield* parsed(rest + decoder.decode());
}
