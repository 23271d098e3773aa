import type { z } from 'zod';

/** Who gets a field besides authors, agents, exports and consumers of `blog.lifecycle`. */
type Audience = 'public' | 'webhooks';

export interface ExtraField {
  /** With a description and an example, by `.meta`. A text is empty where the author gave none. */
  readonly schema: z.ZodType<boolean | string>;
  /** The value of posts that were written without the field. */
  readonly default: boolean | string;
  /** `public`: lists and single posts of the public API, and its clients. */
  readonly to: readonly Audience[];
}

type Fields = Readonly<Record<string, ExtraField>>;
type Shape<Declared extends Fields> = { -readonly [Name in keyof Declared]: Declared[Name]['schema'] };
type Values<Declared extends Fields> = { -readonly [Name in keyof Declared]: z.infer<Declared[Name]['schema']> };
type NamesFor<Declared extends Fields, To extends Audience> = {
  [Name in keyof Declared]: To extends Declared[Name]['to'][number] ? Name : never;
}[keyof Declared];

/** Changes the texts among the values, for example to what a database can store. */
type OfText = (text: string) => string;

/** Declares fields of posts. What they hold is kept as one JSON object by their names, so none needs a column. */
export function declareExtras<const Declared extends Fields>(declared: Declared) {
  const fields: readonly (readonly [string, ExtraField])[] = Object.entries(declared);
  const reaching = (audience: Audience) => fields.filter(([, { to }]) => to.includes(audience));
  const shapeOf = (chosen: typeof fields) => Object.fromEntries(chosen.map(([name, { schema }]) => [name, schema]));

  return {
    fields,
    /** The schemas of all fields. */
    shape: shapeOf(fields) as Shape<Declared>,
    /** The first example of each. */
    examples: Object.fromEntries(
      fields.map(([name, { schema }]) => [name, (schema.meta()?.['examples'] as unknown[])[0]]),
    ) as Values<Declared>,
    /** The schemas of those that the audience gets. */
    shapeFor: <To extends Audience>(audience: To) =>
      shapeOf(reaching(audience)) as Pick<Shape<Declared>, NamesFor<Declared, To>>,
    /** All values, defaults included. @param stored as a column or an event has them. */
    of: (stored: unknown, ofText?: OfText) => valuesOf(fields, stored, ofText) as Values<Declared>,
    /** The same for an audience. */
    for: <To extends Audience>(audience: To, stored: unknown, ofText?: OfText) =>
      valuesOf(reaching(audience), stored, ofText) as Pick<Values<Declared>, NamesFor<Declared, To>>,
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
  const values = (stored ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    chosen.map(([name, { default: otherwise }]) => {
      const value = values[name] ?? otherwise;
      return [name, typeof value === 'string' ? ofText(value) : value];
    }),
  );
}
