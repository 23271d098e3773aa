import { z } from 'zod';
import { describeIssue } from './describe-issue.ts';

const messageOf = (schema: z.ZodType, value: unknown): string =>
  schema.safeParse(value, { error: describeIssue }).error?.issues[0]?.message ?? 'accepted';

/** Every kind of issue that zod has, with a value that makes it. */
const ISSUES: Readonly<Record<z.core.$ZodIssue['code'], readonly [z.ZodType, unknown, string][]>> = {
  invalid_type: [
    [z.string(), undefined, 'is required'],
    [z.string(), 7, 'must be a string'],
    [z.coerce.number(), 'x', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'true', 'must be true or false'],
    [z.array(z.string()), {}, 'must be a list'],
    [z.object({}), [], 'must be an object'],
    [z.record(z.string(), z.string()), 'x', 'must be an object'],
    [z.null(), 1, 'must be null'],
    [z.bigint(), 1, 'has the wrong type'],
  ],
  too_small: [
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(12), 'x', 'must have at least 12 characters (got 1)'],
    [z.array(z.string()).min(1), [], 'must have at least 1 item'],
    [z.number().min(1), 0, 'must be at least 1 (got 0)'],
    [z.number().gt(0), 0, 'must be greater than 0 (got 0)'],
  ],
  too_big: [
    [z.string().max(1), 'xx', 'must have at most 1 character (got 2)'],
    [z.array(z.string()).max(2), ['', '', ''], 'must have at most 2 items (got 3)'],
    [z.number().max(100), 101, 'must be at most 100 (got 101)'],
    [z.number().lt(1), 1, 'must be less than 1 (got 1)'],
  ],
  invalid_format: [
    [z.email(), 'x', 'must be an email address'],
    [z.url(), 'x', 'must be an absolute URL'],
    [z.url({ protocol: /^https?$/, normalize: true }), 'x', 'must be an absolute URL'],
    [z.url({ protocol: /^https?$/, normalize: true }), 'ftp://x', 'must start with http:// or https://'],
    [z.url({ protocol: /^https?$/, normalize: true }), 'javascript:alert(1)', 'must start with http:// or https://'],
    [z.uuid(), 'x', 'must be a UUID'],
    [z.iso.datetime(), 'x', 'must be a time in UTC, such as 2026-03-01T09:00:00Z'],
    [z.iso.date(), 'x', 'must be a date, such as 2026-03-01'],
    [z.string().regex(/^a$/), 'x', 'has an invalid format'],
    [z.string().regex(/^a$/, 'must be the letter a'), 'x', 'must be the letter a'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 7, 'must be a multiple of 5']],
  unrecognized_keys: [[z.strictObject({}), { a: 1 }, 'has unknown fields']],
  invalid_union: [
    [z.union([z.string(), z.number()]), true, 'matches none of the allowed forms'],
    [z.discriminatedUnion('a', [z.object({ a: z.literal(1) })]), { a: 2 }, 'matches none of the allowed forms'],
  ],
  invalid_key: [[z.record(z.string().min(2), z.string()), { a: '' }, 'has an invalid name']],
  invalid_element: [[z.map(z.object({}), z.string()), new Map([[{}, 1]]), 'has an invalid item']],
  invalid_value: [
    [z.enum(['a', 'b']), 'c', 'must be one of a, b (got c)'],
    [z.literal('a'), 'b', 'must be a (got b)'],
  ],
  custom: [
    [z.string().refine(() => false), '', 'is invalid'],
    [z.string().refine(() => false, 'must hold a word'), '', 'must hold a word'],
  ],
};

describe('describeIssue', () => {
  const cases = Object.entries(ISSUES).flatMap(([code, of]) => of.map((given) => [code, ...given] as const));
  it.each(cases)('says %s in words of ours', (code, schema, value, words) => {
    expect(schema.safeParse(value).error?.issues[0]?.code).toBe(code);
    expect(messageOf(schema, value)).toBe(words);
  });
});
