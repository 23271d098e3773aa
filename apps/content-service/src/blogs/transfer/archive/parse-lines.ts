import type { z } from 'zod';

/** Lines of JSON; null for each that cannot be read. */
export function parseLines<Line>(text: string, schema: z.ZodType<Line>): (Line | null)[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => schema.safeParse(parseJson(line)).data ?? null);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
