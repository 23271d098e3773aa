import fc from 'fast-check';
import { resolve, type Json, type JsonSchema } from './contract.ts';

export interface ArbitraryOptions {
  readonly components: JsonSchema;
  /**
   * `tame` texts are what people write: letters of any script, punctuation and emoji, no blanks at the ends. `wild`
   * texts have NUL, lone surrogates, control and direction characters, and whatever else fits the schema.
   */
  readonly text: 'tame' | 'wild';
}

/** Values that fit a schema. Throws for a keyword that the document did not use when this was written. */
export function arbitraryOfSchema(schema: JsonSchema, options: ArbitraryOptions): fc.Arbitrary<Json> {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword)) throw new Error(`Values for the keyword ${keyword} cannot be made yet.`);
  }
  const keywords: Keywords = schema;
  const { $ref, const: only, enum: some, anyOf, oneOf, type } = keywords;
  if ($ref === ANY_JSON) return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
  if ($ref !== undefined) return arbitraryOfSchema(referred($ref, options), options);
  if (only !== undefined) return fc.constant(only);
  if (some !== undefined) return fc.constantFrom(...some);
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((one) => arbitraryOfSchema(one, options)));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => arbitraryOfSchema({ ...schema, type: one }, options)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return integers(keywords);
    case 'string':
      return strings(keywords, options.text);
    case 'array':
      return arrays(keywords, options);
    case 'object':
      return objects(keywords, options);
    case undefined:
    default:
      throw new Error(`Values of the type ${String(type)} cannot be made yet.`);
  }
}

/** The one component that refers to itself. */
const ANY_JSON = '#/components/schemas/JsonValue';

/** The schema that a reference to a component leads to. */
export function referred($ref: string, { components }: Pick<ArbitraryOptions, 'components'>): JsonSchema {
  return resolve({ components }, $ref) as JsonSchema;
}

const KNOWN = new Set(
  [
    '$ref type enum const anyOf oneOf description default format pattern minLength maxLength minimum maximum',
    'minItems maxItems uniqueItems items properties additionalProperties propertyNames required not',
  ].flatMap((line) => line.split(' ')),
);

interface Keywords {
  readonly $ref?: string;
  readonly type?: string | string[];
  readonly const?: Json;
  readonly enum?: Json[];
  readonly anyOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Record<string, JsonSchema>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: string[];
  readonly uniqueItems?: boolean;
  readonly not?: { readonly required?: string[] };
}

const USUAL_LENGTH = 30;
const USUAL_ITEMS = 4;

function integers({ minimum = -1_000_000, maximum = 1_000_000 }: Keywords): fc.Arbitrary<number> {
  return fc.integer({ min: minimum, max: maximum });
}

function arrays(
  { items, minItems = 0, maxItems, uniqueItems }: Keywords,
  options: ArbitraryOptions,
): fc.Arbitrary<Json[]> {
  if (items === undefined) throw new Error('An array without items cannot be made.');
  const item = arbitraryOfSchema(items, options);
  const listOf = (limits: { minLength: number; maxLength: number }) =>
    uniqueItems === true ? fc.uniqueArray(item, limits) : fc.array(item, limits);
  const usual = listOf({
    minLength: minItems,
    maxLength: Math.min(maxItems ?? Infinity, minItems + USUAL_ITEMS),
  });
  if (maxItems === undefined) return usual;
  return fc.oneof(
    { weight: 9, arbitrary: usual },
    { weight: 1, arbitrary: listOf({ minLength: maxItems, maxLength: maxItems }) },
  );
}

function objects(
  { properties = {}, additionalProperties, required = [], not }: Keywords,
  options: ArbitraryOptions,
): fc.Arbitrary<Json> {
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    const names = strings({ minLength: 1 }, options.text);
    return fc.dictionary(names, arbitraryOfSchema(additionalProperties, options), { maxKeys: USUAL_ITEMS });
  }
  const values = Object.entries(properties).map(
    ([name, schema]) => [name, arbitraryOfSchema(schema, options)] as const,
  );
  const all = fc.record(Object.fromEntries(values), { requiredKeys: required, noNullPrototype: true });
  const together = not?.required ?? [];
  return together.length === 0 ? all : all.filter((value) => !together.every((name) => name in value));
}

function strings({ format, pattern, minLength = 0, maxLength = Infinity }: Keywords, text: ArbitraryOptions['text']) {
  const fits = (value: string) => {
    const { length } = [...value];
    return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern).test(value));
  };
  if (format !== undefined) return ofFormat(format, text).filter(fits);
  if (pattern !== undefined) return matching(pattern).filter(fits);
  const usual = text === 'tame' ? tameText(minLength, maxLength) : wildText(minLength, maxLength);
  if (maxLength === Infinity) return usual;
  const longest = fc.constant('x'.repeat(maxLength));
  return fc.oneof({ weight: 14, arbitrary: usual }, { weight: 1, arbitrary: longest });
}

const matchingTexts = new Map<string, fc.Arbitrary<string>>();

/** Made once: for some patterns that takes long. */
function matching(pattern: string): fc.Arbitrary<string> {
  const texts = matchingTexts.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  matchingTexts.set(pattern, texts);
  return texts;
}

const LETTERS = [...'abcXYZ09éßñжя中あ'];
const MIDDLE = [
  ...LETTERS,
  ...`  .,:;!?'"<>&/\\()[]{}%_-+*=#@$~|`,
  '\n',
  '👍',
  '👩‍👧',
  '[INTERNAL:a]',
  '</p>',
  '${x}',
  '../',
];

/** Counts as at most `maxLength` also where UTF-16 units are counted. */
function tameText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const edge = fc.constantFrom(...LETTERS);
  const most = Math.min(maxLength, Math.max(minLength, USUAL_LENGTH));
  const middle = fc.string({ unit: fc.constantFrom(...MIDDLE), maxLength: most });
  const text = fc
    .tuple(edge, middle, edge)
    .map((parts) => parts.join('').slice(0, most).toWellFormed().replaceAll('\ufffd', 'x').trimEnd())
    .map((made) => padded(made, minLength, 'x'));
  return minLength === 0 ? fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 6, arbitrary: text }) : text;
}

/** At least so many characters: halves of a pair that have met are one. */
const padded = (text: string, minLength: number, by: string): string =>
  text + by.repeat(Math.max(0, minLength - [...text].length));

const ODD = [
  '\0',
  '\ud800',
  '\udfff',
  '\u202e',
  '\ufeff',
  '\u0007',
  '\u2028',
  '\x7f',
  '\uffff',
  ' ',
  '\t',
  '%00',
  '__proto__',
];

/** Made once: all characters are listed for that. */
const WILD_UNIT = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));

function wildText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const most = Math.min(maxLength, Math.max(minLength, USUAL_LENGTH));
  return (
    fc
      .array(WILD_UNIT, { minLength, maxLength: most })
      .map((units) => [...units.join('')].slice(0, most).join(''))
      // Halves of a pair may have met.
      .map((text) => text + ' '.repeat(Math.max(0, minLength - [...text].length)))
  );
}

/** URLs to browsers, whatever the RFC says. */
const ODD_URLS = [
  'http://a.example/\0',
  'http://a.example/\ud800',
  'https://a.example/ ü中👍',
  'HTTPS://USER:PASSWORD@A.EXAMPLE:443/../x',
  'http:a.example',
  'https://[::1]/"><script>',
  'https://a.example/\n\tx',
];

function ofFormat(format: string, text: ArbitraryOptions['text']): fc.Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.uuid();
    case 'date-time':
      return fc
        .tuple(
          fc.date({
            min: new Date('0001-01-01T00:00:00Z'),
            max: new Date('9999-12-31T23:59:59.999Z'),
            noInvalidDate: true,
          }),
          fc.constantFrom('', '.1', '.123', '.123456789'),
        )
        .map(([date, fraction]) => date.toISOString().replace(/\.\d+Z$/, `${fraction}Z`));
    case 'email':
      return fc.emailAddress();
    case 'uri':
      return text === 'tame'
        ? fc.webUrl()
        : fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.constantFrom(...ODD_URLS));
    default:
      throw new Error(`Values of the format ${format} cannot be made yet.`);
  }
}
