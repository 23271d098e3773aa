import type { CountedImport, ListedFile } from './import-store.ts';

type ReportedFile = Pick<ListedFile, 'path' | 'status' | 'message'>;

const SECTIONS = [
  { title: 'Failed', has: ({ status }: ReportedFile) => status === 'failed' },
  { title: 'Not imported', has: ({ status }: ReportedFile) => status === 'skipped' },
  { title: 'Waiting', has: ({ status }: ReportedFile) => status === 'waiting' },
  { title: 'Imported, with notes', has: ({ message }: ReportedFile) => message !== null },
  { title: 'Imported in full', has: () => true },
];

/**
 * What became of each file of an import, as a text for people: what failed first, then what was left out, and what each
 * post lost. A file is in the first section that has it.
 */
export function writeReport(job: CountedImport, files: readonly ReportedFile[]): string {
  const { created, updated, skipped, failed, waiting } = job.counts;
  const ended = job.finishedAt === null ? `running, ${waiting} waiting` : `finished ${minute(job.finishedAt)}`;
  const head = [
    `Import ${job.id}`,
    `Started ${minute(job.createdAt)}, ${ended}`,
    `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`,
  ];
  let left = files;
  const sections = SECTIONS.flatMap(({ title, has }) => {
    const listed = left.filter(has);
    left = left.filter((file) => !has(file));
    return listed.length === 0 ? [] : [[`${title}: ${listed.length}`, ...listed.flatMap(linesOf)]];
  });
  return [head, ...sections].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function linesOf({ path, message }: ReportedFile): string[] {
  return [`  ${oneLine(path)}`, ...(message === null ? [] : [`    ${oneLine(message)}`])];
}

/** A name of a file must not look like another line. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

const minute = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
