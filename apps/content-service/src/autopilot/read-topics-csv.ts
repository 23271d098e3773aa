import {
  AUTOPILOT_LIMITS,
  autopilotTopicRequest,
  type AutopilotTopicRequest,
  GENERATION_LIMITS,
} from '@blog-content/payload-schemas';
import { storableText } from '@blog-content/service-runtime';

export interface ReadTopics {
  readonly topics: AutopilotTopicRequest[];
  /** Rows that were left out, counted from 1. */
  readonly skipped: { row: number; message: string }[];
}

const COLUMNS = ['topic', 'keyword', 'instructions', 'sources'] as const;
/** Longest row, in characters: more than all its fields may have together. */
const MAX_ROW = 40_000;
/** What some programs put before a text, so that a spreadsheet does not take it for a formula. */
const GUARD = /^'(?=[=+\-@])/;

/**
 * Reads topics from CSV. A first row with a column `topic` names the columns; without one, the first column is the
 * topic. Text is text: formulas are nothing here.
 *
 * @returns the topics that can be had, or why the whole cannot be read: a clause about the field.
 */
export async function readTopicsCsv(csv: string): Promise<ReadTopics | { readonly refused: string }> {
  const { parse } = await import('csv-parse/sync');
  let rows: string[][];
  try {
    rows = parse(storableText(csv), {
      bom: true,
      delimiter: delimiterOf(csv),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
      trim: true,
      to: AUTOPILOT_LIMITS.csvRows + 2,
    });
  } catch (error) {
    return {
      refused: `is not valid CSV: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`,
    };
  }
  const names = rows[0]?.map((name) => name.toLowerCase()) ?? [];
  const hasNames = names.includes('topic');
  const columns: readonly string[] = hasNames ? names : COLUMNS;
  // Looked up once: a row of names may have twenty thousand.
  const [topicAt, keywordAt, instructionsAt, sourcesAt] = COLUMNS.map((name) => columns.indexOf(name));
  const given = hasNames ? rows.slice(1) : rows;
  if (given.length > AUTOPILOT_LIMITS.csvRows) return { refused: `has more than ${AUTOPILOT_LIMITS.csvRows} rows` };

  const read: ReadTopics = { topics: [], skipped: [] };
  const known = new Set<string>();
  for (const [index, row] of given.entries()) {
    const at = index + (hasNames ? 2 : 1);
    if (row.every((cell) => cell === '')) continue;
    const field = (column = -1): string => (row[column] ?? '').replace(GUARD, '').trim();
    const parsed = autopilotTopicRequest.safeParse({
      topic: field(topicAt),
      keyword: field(keywordAt) || null,
      instructions: field(instructionsAt) || null,
      // One more than there may be is refused as all of them are.
      sources: field(sourcesAt)
        .split(/\s+/)
        .filter(Boolean)
        .slice(0, GENERATION_LIMITS.sources + 1),
    });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      read.skipped.push({ row: at, message: `${String(issue?.path[0] ?? 'row')} ${reasonOf(issue?.code)}` });
    } else if (known.has(parsed.data.topic.toLowerCase())) {
      read.skipped.push({ row: at, message: 'topic is a duplicate' });
    } else {
      known.add(parsed.data.topic.toLowerCase());
      read.topics.push(parsed.data);
    }
  }
  return read;
}

/** The commonest of the usual delimiters in the first line. */
function delimiterOf(csv: string): string {
  const first = csv.slice(0, MAX_ROW).split(/[\r\n]/, 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ',';
}

function reasonOf(code: string | undefined): string {
  if (code === 'too_small') return 'is empty';
  if (code === 'too_big') return 'is too long, or has too many values';
  return 'is invalid';
}
