/** The raw bytes of a request or response; null when there are more than `maxBytes`, which are then not read. */
export async function readBody(
  message: Pick<Request | Response, 'body' | 'headers'>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(message.headers.get('content-length') ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = message.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) break;
    length += read.value.length;
    if (length > maxBytes) {
      await reader?.cancel();
      return null;
    }
    chunks.push(read.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
