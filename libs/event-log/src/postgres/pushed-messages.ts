import type { StoredMessage } from '../message.ts';

/** PostgreSQL takes less than 8,000 bytes a notification; what stands before a part is shorter than the difference. */
const MAX_PART_BYTES = 7_600;

/** What needs more parts is fetched: it goes to every session that listens, whatever it consumes. */
const MAX_PARTS = 4;

/** What an append brings, without its place. */
export type Contents = readonly (Pick<StoredMessage, 'key' | 'headers'> & { readonly value: string | null })[];

/**
 * The contents of an append, as JSON, in the parts in which consumers are told of it: `1/2 [{"ke…`, `2/2 …}]`. One that says nothing
 * (`0/0 `) when it is too much: then they fetch it.
 */
export function toParts(contents: Contents): string[] {
  const tooMuch = ['0/0 '];
  // A character is a byte at least: what is far too much, as in a burst, is not written out to find out.
  const characters = contents.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  if (characters > MAX_PARTS * MAX_PART_BYTES) return tooMuch;
  const bytes = Buffer.from(JSON.stringify(contents));
  const texts: string[] = [];
  for (let start = 0; start < bytes.byteLength;) {
    let end = Math.min(start + MAX_PART_BYTES, bytes.byteLength);
    // Not within a character: a byte that goes on with one begins with 10.
    while (end < bytes.byteLength && (bytes[end]! & 0xc0) === 0x80) end -= 1;
    texts.push(bytes.toString('utf8', start, end));
    start = end;
    if (texts.length > MAX_PARTS) return tooMuch;
  }
  return texts.map((text, place) => `${place + 1}/${texts.length} ${text}`);
}

/** What an append to a partition was told by. */
export interface Appended {
  /** `<topic>/<partition>`. */
  readonly partition: string;
  /** The messages themselves, when they came with it and are all there. */
  readonly messages: readonly StoredMessage[] | null;
}

/**
 * Puts the parts together again: gives what was appended to a wanted partition once its last part has come, null for every other
 * notification. The parts of one append come one right after the other.
 */
export function createPushedMessages(
  isWanted: (partition: string) => boolean,
): (notification: string) => Appended | null {
  let parts: string[] = [];
  let begun = '';
  return (notification) => {
    const [, name = '', topic = '', partition = '', offset = '', place = '', count = '', text = ''] =
      /^topic:((\S+)\/(\d+))(?: (\d+) (\d)\/(\d) (.*))?$/s.exec(notification) ?? [];
    if (name === '' || !isWanted(name)) return null;
    if (count === '' || count === '0') return { partition: name, messages: null };
    const append = `${name} ${offset} ${count}`;
    if (place === '1') [begun, parts] = [append, []];
    // One whose beginning was not heard.
    if (append !== begun || parts.length !== Number(place) - 1) return { partition: name, messages: null };
    parts.push(text);
    if (place !== count) return null;
    const contents = JSON.parse(parts.join('')) as Contents;
    parts = [];
    const messages = contents.map(({ key, headers, value }, index) => ({
      topic,
      partition: Number(partition),
      offset: String(BigInt(offset) + BigInt(index)),
      key,
      value,
      headers,
    }));
    return { partition: name, messages };
  };
}
