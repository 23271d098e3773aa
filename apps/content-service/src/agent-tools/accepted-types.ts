const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** What the protocol's package asks every client to accept. */
export const BOTH_TYPES = `${JSON_TYPE}, ${STREAM_TYPE}`;

/** The one type that a client takes; null when it takes both. */
export type OnlyType = typeof JSON_TYPE | typeof STREAM_TYPE | null;

/** As Express has it: the best of the types, or false when the client takes none of them. */
type Accepts = (type: string) => string | false;

/**
 * The one type that a client of the tools takes; null when it takes both, as the protocol wants, or says nothing, or
 * any type; undefined when it takes neither.
 */
export function onlyTypeOf(accepts: Accepts): OnlyType | undefined {
  // Some clients name the charset, too; only the same text fits that.
  const isTaken = (type: string) => [type, `${type};charset=utf-8`].some((one) => accepts(one) !== false);
  const types = ([JSON_TYPE, STREAM_TYPE] as const).filter(isTaken);
  return types.length === 2 ? null : types[0];
}

/**
 * The answer in a type that the client takes. Tools send no notifications on the way, so a stream is one message, and
 * one message is a stream.
 */
export async function answerAs(type: OnlyType, answer: Response): Promise<Response> {
  const [given] = (answer.headers.get('content-type') ?? '').split(';');
  if (type === null || given === type || (given !== JSON_TYPE && given !== STREAM_TYPE)) return answer;
  const text = await answer.text();
  const headers = new Headers(answer.headers);
  headers.set('content-type', type);
  headers.delete('content-length');
  return new Response(type === JSON_TYPE ? lastMessageOf(text) : `event: message\ndata: ${text}\n\n`, {
    status: answer.status,
    headers,
  });
}

function lastMessageOf(stream: string): string {
  const messages = stream.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).trimStart())
      .join('\n'),
  );
  return messages.findLast((message) => message !== '') ?? '';
}
