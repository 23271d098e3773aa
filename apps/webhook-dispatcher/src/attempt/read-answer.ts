import { readReceiverAnswer, type ReceiverAnswer } from '@blog-content/payload-schemas';
import { isStorableText } from '@blog-content/service-runtime';

/** An answer that says nothing of the post. */
export const NO_ANSWER: ReceiverAnswer = { url: null, external_id: null };

/** Takes a byte order mark off, which .NET and PHP may put before JSON. */
const UTF8 = new TextDecoder();

/** What a receiver's answer says of the post; an answer that is not JSON says nothing (contract §4.4). */
export function readAnswer(body: Uint8Array): ReceiverAnswer {
  let json: unknown;
  try {
    json = JSON.parse(UTF8.decode(body), integersAsWritten);
  } catch {
    return NO_ANSWER;
  }
  const { url, external_id } = readReceiverAnswer(json);
  return { url: storable(url), external_id: storable(external_id) };
}

/** Reviver: ids of 64 bits come as numbers, and a number of JavaScript would have other digits. */
function integersAsWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? '';
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}

/** What PostgreSQL does not hold is nonsense in a URL or an id. */
function storable(text: string | null): string | null {
  return text !== null && isStorableText(text) ? text : null;
}
