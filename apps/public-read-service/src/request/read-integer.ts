/** Bounds of a number in a query, and what it is when it is not given. */
export interface IntegerBounds {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** How many items to skip. */
export const OFFSET = { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** Longest part of a wrong value that an error repeats. */
const MAX_QUOTED = 50;

/** The last value of a parameter: the one that counts when it is given twice (contract "Public API"). */
export function lastValue(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.getAll(name).at(-1);
}

/** Reads an integer of a query; or one sentence that names the parameter and its bounds. */
export function readInteger(
  parameters: URLSearchParams,
  name: string,
  { default: fallback, min, max }: IntegerBounds,
): number | { readonly detail: string } {
  const text = lastValue(parameters, name);
  if (text === undefined) return fallback;
  const value = /^-?\d+$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  return { detail: `\`${name}\` must be between ${min} and ${max} (got ${text.slice(0, MAX_QUOTED) || 'nothing'}).` };
}
