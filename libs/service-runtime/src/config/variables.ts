import { z } from 'zod';

/** A whole number written in decimal, from `min` to `max`, both included. Required unless it has a default. */
export function integerVariable(options: {
  min: number;
  max: number;
  default?: number;
}): z.ZodType<number, string | undefined> {
  const { min, max } = options;
  const expected = `must be a whole number between ${String(min)} and ${String(max)}`;
  return variable(options.default, expected, (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  }).meta({ values: `${String(min)} to ${String(max)}` });
}

/** `true`, `false`, `1` or `0`. Required unless it has a default. */
export function booleanVariable(options: { default?: boolean } = {}): z.ZodType<boolean, string | undefined> {
  const values = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]);
  return variable(options.default, 'must be true, false, 1 or 0', (text) => values.get(text)).meta({
    values: '`true`, `false`',
  });
}

/**
 * Texts with commas between them; spaces around each are dropped, and so are empty ones. Required, with at least one
 * text, unless it has a default.
 *
 * @param options.item what each text must match; `expected` says that in words, such as `must be host:port pairs`.
 */
export function listVariable(
  options: { default?: readonly string[]; item?: RegExp; expected?: string } = {},
): z.ZodType<readonly string[], string | undefined> {
  const { item, expected = 'must be one or more comma-separated values' } = options;
  return variable(options.default, expected, (text) => {
    const items = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    return items.length > 0 && items.every((part) => item?.test(part) ?? true) ? items : undefined;
  });
}

/** An absolute URL with one of `protocols` (such as `https:`), kept as text. Required; see `.optional()`. */
export function urlVariable(options: { protocols: readonly string[]; example: string }): z.ZodType<string, string> {
  const { protocols, example } = options;
  return z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), {
    error: `must be a URL such as ${example}`,
  });
}

function variable<T>(
  fallback: T | undefined,
  expected: string,
  read: (text: string) => T | undefined,
): z.ZodType<T, string | undefined> {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      const value = text === undefined ? fallback : read(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: expected, input: undefined });
      return z.NEVER;
    })
    .meta({ default: String(fallback ?? '') });
}
