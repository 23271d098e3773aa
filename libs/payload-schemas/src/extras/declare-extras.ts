import type { z } from 'zod';

/** Who gets a field besides authors, agents, exports and consumers of `blog.lifecycle`. */
type Audience = 'public' | 'webhooks';

type Json = boolean | number | string | null | readonly Json[] | { readonly [name: string]: Json };

export interface ExtraField {
  /** With a description and an example, by `.meta`. */
  readonly schema: z.ZodType;
  /** The value of posts that were written without the field. Where it is null, so is a text of nothing. */
  readonly default: Json;
  /** `public`: lists and single posts of the public API, and its clients. */
  readonly to: readonly Audience[];
  /** The public API returns it only where `fields` names it; webhooks have it where their `settings.fields` do. */
  readonly onRequest?: true;
  /** The URL of an image: one of the project's library stays there, and moves with the post. */
  readonly isImage?: true;
  /** What else front matter calls it, in lower case, without `_` and `-`. Its own name comes first. */
  readonly frontMatter?: readonly string[];
}

type Fields = Readonly<Record<string, ExtraField>>;
type Shape<Declared extends Fields> = { -readonly [Name in keyof Declared]: Declared[Name]['schema'] };
type Values<Declared extends Fields> = { -readonly [Name in keyof Declared]: z.infer<Declared[Name]['schema']> };
type NamesFor<Declared extends Fields, To extends Audience> = {
  [Name in keyof Declared]: Declared[Name] extends { onRequest: true }
    ? never
    : To extends Declared[Name]['to'][number]
      ? Name
      : never;
}[keyof Declared];
type NamesOnRequest<Declared extends Fields, To extends Audience> = {
  [Name in keyof Declared]: Declared[Name] extends { onRequest: true }
    ? To extends Declared[Name]['to'][number]
      ? Name
      : never
    : never;
}[keyof Declared];

type NamesOfImages<Declared extends Fields> = {
  [Name in keyof Declared]: Declared[Name] extends { isImage: true } ? Name : never;
}[keyof Declared];

/** Changes the texts among the values, for example to what a database can store. */
type OfText = (text: string) => string;

/** Declares fields of posts. What they hold is kept as one JSON object by their names, so none needs a column. */
export function declareExtras<const Declared extends Fields>(declared: Declared) {
  const fields: readonly (readonly [string, ExtraField])[] = Object.entries(declared);
  const reaching = (audience: Audience, isOnRequest: boolean) =>
    fields.filter(([, { to, onRequest = false }]) => to.includes(audience) && onRequest === isOnRequest);
  const shapeOf = (chosen: typeof fields) => Object.fromEntries(chosen.map(([name, { schema }]) => [name, schema]));
  const namesOnRequest = <To extends Audience>(audience: To) =>
    reaching(audience, true).map(([name]) => name as NamesOnRequest<Declared, To> & string);

  const images = fields
    .filter(([, { isImage = false }]) => isImage)
    .map(([name]) => name as NamesOfImages<Declared> & string);

  return {
    fields,
    /** The names of those that are images. */
    images,
    /** The URLs of the images. @param stored as a column, a request or an event has them. */
    imagesOf: (stored: unknown): string[] => {
      const values = valuesOf(fields, stored);
      return images.flatMap((name) => (typeof values[name] === 'string' ? [values[name]] : []));
    },
    /** The schemas of all fields. */
    shape: shapeOf(fields) as Shape<Declared>,
    /** The first example of each. */
    examples: Object.fromEntries(
      fields.map(([name, { schema }]) => [name, (schema.meta()?.['examples'] as unknown[])[0]]),
    ) as Values<Declared>,
    /** The schemas of those that the audience gets without asking. */
    shapeFor: <To extends Audience>(audience: To) =>
      shapeOf(reaching(audience, false)) as Pick<Shape<Declared>, NamesFor<Declared, To>>,
    /** The names of those that the audience gets where it asks for them. */
    namesOnRequest,
    /** The schemas of the same, each optional. @param how the audience asks, as a sentence for the documents */
    shapeOnRequest: <To extends Audience>(audience: To, how: string) =>
      Object.fromEntries(
        reaching(audience, true).map(([name, { schema }]) => {
          const { examples, description } = schema.meta() ?? {};
          return [name, schema.optional().meta({ examples, description: `${description} ${how}` })];
        }),
      ) as { [Name in NamesOnRequest<Declared, To>]: z.ZodOptional<Shape<Declared>[Name]> },
    /** All values, defaults included. @param stored as a column or an event has them. */
    of: (stored: unknown, ofText?: OfText) => valuesOf(fields, stored, ofText) as Values<Declared>,
    /** The values that an audience gets without asking, defaults included. */
    for: <To extends Audience>(audience: To, stored: unknown) =>
      valuesOf(reaching(audience, false), stored) as Pick<Values<Declared>, NamesFor<Declared, To>>,
    /** Those among the named values that the audience gets only where it asks, defaults included. */
    requested: <To extends Audience>(audience: To, names: readonly string[], stored: unknown) =>
      valuesOf(
        reaching(audience, true).filter(([name]) => names.includes(name)),
        stored,
      ) as Partial<Pick<Values<Declared>, NamesOnRequest<Declared, To>>>,
    /** What has to be kept to answer an audience: what it gets on request only where it isn't the default. */
    keptFor: (audience: Audience, stored: unknown, ofText?: OfText): object => {
      const onRequest = Object.entries(valuesOf(reaching(audience, true), stored, ofText));
      return {
        ...valuesOf(reaching(audience, false), stored, ofText),
        ...Object.fromEntries(
          onRequest.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(declared[name]?.default)),
        ),
      };
    },
    /** The values that a request has; undefined if it has none. */
    given: (request: object, ofText?: OfText): Partial<Values<Declared>> | undefined => {
      const present = fields.filter(([name]) => (request as Record<string, unknown>)[name] !== undefined);
      return present.length === 0 ? undefined : (valuesOf(present, request, ofText) as Partial<Values<Declared>>);
    },
  };
}

function valuesOf(
  chosen: readonly (readonly [string, ExtraField])[],
  stored: unknown,
  ofText: OfText = (text) => text,
): Record<string, unknown> {
  const values = (stored ?? {}) as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    chosen.map(([name, { default: otherwise }]) => {
      const value = changeTexts(values[name] ?? otherwise, ofText);
      return [name, value === '' && otherwise === null ? null : value];
    }),
  );
}

function changeTexts(value: Json, ofText: OfText): Json {
  if (typeof value === 'string') return ofText(value);
  if (Array.isArray(value)) return value.map((one: Json) => changeTexts(one, ofText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changeTexts(one, ofText)]));
}
