const MAX_LENGTH = 160;

/** The first line of a response that says something, cut to one line on the screen; null where there is none. */
export function firstLine(body: string | null | undefined): string | null {
  const lines = body?.split('\n').map((line) => line.trim()) ?? [];
  // Error pages begin with markup.
  const line = lines.map((each) => each.replaceAll(/<[^<>]*>/g, '').trim()).find(hasText) ?? lines.find(hasText);
  if (line === undefined) return null;
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

const hasText = (line: string): boolean => line !== '';
