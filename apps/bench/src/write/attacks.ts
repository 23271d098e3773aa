import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Calls the API as the attacker does; answers the status. */
export interface Attacker {
  /** Below the agent API, with the agent's key. */
  asAgent(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Sends an archive to be imported, with the owner's session. */
  import(archive: Uint8Array): Promise<number>;
  /** Whether imports of the project are still being worked on. */
  isImporting(): Promise<boolean>;
}

/** Something that one tenant does again and again while another one is measured. */
export interface Attack {
  readonly name: string;
  /** What has to be there before; not measured. */
  prepare?(attacker: Attacker): Promise<void>;
  /** One go; answers the statuses of what was asked. */
  strike(attacker: Attacker): Promise<number[]>;
}

const TABLE = `|${'a|'.repeat(17)}\n|${'-|'.repeat(17)}\n${'|1|\n'.repeat(3_300)}`;
const LONG_POST = '<p>A sentence with <b>bold</b> and <a href="[INTERNAL:other]">a link</a>.</p>'.repeat(3_000);
const FILES = 256;

const atOnce = (count: number, act: () => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, act));

const post = (name: string, blog: object): Attack => ({
  name,
  strike: (attacker) =>
    atOnce(4, async () => (await attacker.asAgent('POST', 'blogs', { title: 'Attack', ...blog })).status),
});

/** What was seen to hold up others, and what is like it. */
export function attacks(): readonly Attack[] {
  return [
    post('4 posts at once of "<svg>" × 99,800', { content: '<svg>'.repeat(99_800) }),
    post('4 posts at once of "<b>" × 166,000', { content: '<b>'.repeat(166_000) }),
    post('4 posts at once of lists in each other', { content: '<ul><li>'.repeat(62_500) }),
    post('4 posts at once of a table of 17 × 3,300 in Markdown', { content_markdown: TABLE }),
    post('4 posts at once of 25,000 elements, which are cleaned', { content: '<i>a</i>'.repeat(25_000) }),
    post('4 posts at once of 500,000 characters to escape', { content: '&'.repeat(99_999) }),
    post('4 posts at once of emphasis in Markdown', { content_markdown: '**a'.repeat(100_000) }),
    {
      name: '2,000 creations by one agent key, 50 at once',
      strike: (attacker) => inParallel(50, 2_000, () => attacker.asAgent('POST', 'blogs', { title: 'Attack' })),
    },
    bulkPublish(),
    imports(`an import of ${FILES} files of "<svg>" × 99,800`, 'html', '<svg>'.repeat(99_800)),
    imports(`an import of ${FILES} files of a table in Markdown`, 'md', TABLE),
  ];
}

async function inParallel(width: number, count: number, act: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun += 1;
      statuses.push((await act()).status);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return statuses;
}

function bulkPublish(): Attack {
  const blogIds: string[] = [];
  return {
    name: '4 bulk publishes at once of 20 long posts',
    async prepare(attacker) {
      for (let index = 0; index < 20; index += 1) {
        const { body } = await attacker.asAgent('POST', 'blogs', { title: 'Long', content: LONG_POST });
        blogIds.push((body as { id: string }).id);
      }
    },
    strike: (attacker) =>
      atOnce(4, async () => (await attacker.asAgent('POST', 'blogs/publish', { blog_ids: blogIds })).status),
  };
}

function imports(name: string, extension: string, content: string): Attack {
  let archive: Uint8Array = Buffer.alloc(0);
  return {
    name,
    async prepare() {
      const zip = new ZipFile();
      for (let index = 0; index < FILES; index += 1) {
        zip.addBuffer(
          Buffer.from(`---\ntitle: T\nslug: ${extension}-${index}\n---\n${content}`),
          `${index}.${extension}`,
        );
      }
      zip.end();
      archive = await buffer(zip.outputStream);
    },
    async strike(attacker) {
      const status = await attacker.import(archive);
      while (await attacker.isImporting()) await new Promise((resolve) => setTimeout(resolve, 200));
      return [status];
    },
  };
}
