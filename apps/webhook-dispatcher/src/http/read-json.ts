import { excessOfJson } from '@blog-content/service-runtime';

/** Most values of an answer: several times what any has, and few enough that a complaint about each takes moments. */
const MAX_ANSWER_VALUES = 10_000;
/** Most places before the JSON of an answer that are taken for its beginning. */
const MAX_BEGINNINGS = 50;

/** The JSON of an answer, with byte order marks before it or none; undefined when it holds none. */
export function readJson(body: Uint8Array): unknown {
  return parse(textOf(body));
}

/**
 * The same for a system in PHP, whose plugins and notices may print something first: the text from some bracket on to
 * the end. Only of an answer that is whole.
 */
export function readJsonAfterNoise(body: Uint8Array): unknown {
  const text = textOf(body);
  const whole = parse(text);
  if (whole !== undefined) return whole;
  let beginnings = 0;
  for (const { index } of text.matchAll(/[[{]/g)) {
    const json = parse(text.slice(index));
    if (json !== undefined) return json;
    beginnings += 1;
    if (beginnings === MAX_BEGINNINGS) break;
  }
  return undefined;
}

const textOf = (body: Uint8Array): string =>
  Buffer.from(body)
    .toString('utf8')
    .replace(/^[\uFEFF\s]+/, '');

function parse(text: string): unknown {
  if (excessOfJson(Buffer.from(text), MAX_ANSWER_VALUES) !== null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
