import type { z } from 'zod';

/** Most of the values that a message lists. */
const MAX_VALUES = 20;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'an absolute URL',
  uuid: 'a UUID',
  datetime: 'a time in UTC, such as 2026-03-01T09:00:00Z',
  date: 'a date, such as 2026-03-01',
};

/**
 * What is wrong with a value, in words of ours that go on after the field's name: what zod says of it by itself is made
 * for developers and reaches no caller. Messages that a schema gives count before this. To be given to zod with a
 * parse.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const type = TYPES[issue.expected];
      if (issue.input === undefined) return 'is required';
      return type === undefined ? 'has the wrong type' : `must be ${type}`;
    }
    case 'too_small':
      return (
        bound(issue.origin, 'at least', 'greater than', Number(issue.minimum), issue.inclusive) + gotSize(issue.input)
      );
    case 'too_big':
      return bound(issue.origin, 'at most', 'less than', Number(issue.maximum), issue.inclusive) + gotSize(issue.input);
    case 'invalid_format': {
      // An absolute URL with another protocol: zod says which ones a schema takes.
      if (issue.format === 'url' && issue.pattern === '^https?$') return 'must start with http:// or https://';
      const format = FORMATS[issue.format];
      return format === undefined ? 'has an invalid format' : `must be ${format}`;
    }
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'invalid_value': {
      const values = issue.values.slice(0, MAX_VALUES).map(String).join(', ');
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${values}${gotValue(issue.input)}`;
    }
    case 'unrecognized_keys':
      return 'has unknown fields';
    case 'invalid_union':
      return 'matches none of the allowed forms';
    case 'invalid_key':
      return 'has an invalid name';
    case 'invalid_element':
      return 'has an invalid item';
    case 'custom':
      return 'is invalid';
  }
}

function bound(origin: string, inclusive: string, exclusive: string, limit: number, isInclusive = true): string {
  if (origin === 'string') {
    if (inclusive === 'at least' && limit === 1) return 'must not be empty';
    return `must have ${inclusive} ${plural(limit, 'character')}`;
  }
  if (origin === 'array' || origin === 'set') return `must have ${inclusive} ${plural(limit, 'item')}`;
  return `must be ${isInclusive ? inclusive : exclusive} ${String(limit)}`;
}

/** Longest part of a wrong value that a message repeats. */
const MAX_QUOTED = 50;

/** The value that was given, where a few values are allowed and none is secret. */
export const gotValue = (input: unknown): string =>
  typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean'
    ? ` (got ${String(input).slice(0, MAX_QUOTED) || 'nothing'})`
    : '';

/** The number that was given, or how many characters or items. */
function gotSize(input: unknown): string {
  const size = typeof input === 'string' || Array.isArray(input) ? input.length : input;
  return typeof size === 'number' && (size !== 0 || size === input) ? ` (got ${String(size)})` : '';
}

const plural = (count: number, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
