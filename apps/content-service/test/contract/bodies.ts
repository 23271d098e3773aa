import fc from 'fast-check';
import type { Json } from './contract.ts';

/** What a request has as its body. */
export type BodyChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'archive'; readonly files: readonly { readonly path: string; readonly text: string }[] }
  | {
      readonly kind: 'raw';
      readonly name: string;
      readonly bytes: Buffer;
      readonly headers: Readonly<Record<string, string>>;
      /** That the body can not be understood as the one that is asked for. */
      readonly unreadable: boolean;
    };

const FILES = fc.record({
  path: fc.constantFrom('a.md', 'b.html', 'sub/c.markdown', 'notes.txt', 'é.md'),
  text: fc.constantFrom(
    '---\ntitle: One\n---\nText',
    '<p>Two</p>',
    '---\n: [\n---\n',
    '',
    '---\ntitle: Three\ntags: [a]\n---\n',
  ),
});
/** ZIP archives of posts, some of them with broken front matter. */
export const ARCHIVES: fc.Arbitrary<BodyChoice> = fc
  .uniqueArray(FILES, { minLength: 1, maxLength: 4, selector: ({ path }) => path })
  .map<BodyChoice>((files) => ({ kind: 'archive', files }));

const ZIP_HEADERS = { 'content-type': 'application/zip' };

/** An archive's first bytes, and then anything. */
export const brokenArchive = (bytes: Uint8Array): BodyChoice => ({
  kind: 'raw',
  name: 'broken archive',
  bytes: Buffer.concat([Buffer.from('PK\x03\x04'), bytes]),
  headers: ZIP_HEADERS,
  unreadable: true,
});

/** A PNG and a GIF of one pixel. */
const PIXELS = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
].map((text) => Buffer.from(text, 'base64'));
const imageBody = (bytes: Buffer, type: string, unreadable: boolean): BodyChoice => ({
  kind: 'raw',
  name: 'image',
  bytes,
  headers: { 'content-type': type },
  unreadable,
});

/** Images, by whatever type they are sent. */
export const IMAGES: fc.Arbitrary<BodyChoice> = fc
  .tuple(fc.constantFrom(...PIXELS), fc.constantFrom('image/png', 'image/jpeg', 'application/octet-stream'))
  .map(([bytes, type]) => imageBody(bytes, type, false));

/** An image's first bytes, and then anything. */
export const brokenImage = (bytes: Uint8Array): BodyChoice =>
  imageBody(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), bytes]), 'image/png', true);

const DEEP = 200_000;
const TOO_LARGE = 5 * 1024 * 1024;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Bodies around a fitting value that are not what they say, or hardly. */
export function oddBytes(value: Json): fc.Arbitrary<BodyChoice> {
  const text = JSON.stringify(value);
  return fc.constantFrom(...ODD_BODIES).map(([name, headers, bytesOf, unreadable = false]) => ({
    kind: 'raw',
    name,
    bytes: Buffer.from(bytesOf(text)),
    headers,
    unreadable,
  }));
}

/** The JSON of an object with one more field at its start. */
const within = (text: string, field: string): string => `{${field}${text === '{}' ? '' : ','}${text.slice(1)}`;

type OddBody = readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  bytesOf: (text: string) => string | Buffer,
  unreadable?: true,
];

const ODD_BODIES: readonly OddBody[] = [
  ['cut off', JSON_HEADERS, (text) => text.slice(0, -1), true],
  ['empty', JSON_HEADERS, () => ''],
  ['blank', JSON_HEADERS, () => ' ', true],
  ['not JSON', JSON_HEADERS, () => '{title: 1}', true],
  ['a primitive', JSON_HEADERS, () => 'null', true],
  ['an array', JSON_HEADERS, (text) => `[${text}]`],
  ['text', { 'content-type': 'text/plain' }, (text) => text],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, () => 'title=x'],
  ['no type', {}, (text) => text],
  ['a broken type', { 'content-type': ';;=' }, (text) => text],
  ['unknown charset', { 'content-type': 'application/json; charset=klingon' }, (text) => text, true],
  ['not gzip', { ...JSON_HEADERS, 'content-encoding': 'gzip' }, (text) => text, true],
  ['unknown encoding', { ...JSON_HEADERS, 'content-encoding': 'of-ours' }, (text) => text, true],
  ['no UTF-8', JSON_HEADERS, () => Buffer.from('{"title":"\xff\xfe\xc0"}', 'latin1')],
  ['byte order mark', JSON_HEADERS, (text) => `\ufeff${text}`],
  ['deep', JSON_HEADERS, (text) => within(text, `"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`)],
  ['prototype', JSON_HEADERS, (text) => within(text, '"__proto__":{"title":"x"},"constructor":{"prototype":{}}')],
  ['infinite number', JSON_HEADERS, (text) => within(text, '"version":1e999')],
  ['too large', JSON_HEADERS, (text) => within(text, `"pad":"${'x'.repeat(TOO_LARGE)}"`), true],
];
