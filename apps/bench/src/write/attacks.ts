import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { ZipFile } from 'yazl';

/** Calls the API as the attacker does; answers the status. */
export interface Attacker {
  /** Below the agent API, with the agent's key. */
  asAgent(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>;
  /** In a project with 20,000 posts, as its owner. */
  inLargeProject(method: string, path: string, body?: object): Promise<number>;
  /** Uploads a picture. */
  upload(bytes: Uint8Array): Promise<number>;
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
const LONG_TEXT = 'A sentence about tea, coffee and a hundred other things that posts are about. '.repeat(5_000);
const LARGE_POST = '<p>A sentence about tea, coffee and a hundred other things that posts are about.</p>'.repeat(5_800);
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
    largePublishes(),
    imports(`an import of ${FILES} files of "<svg>" × 99,800`, 'html', '<svg>'.repeat(99_800)),
    imports(`an import of ${FILES} files of a table in Markdown`, 'md', TABLE),
    generations(),
    uploads(),
    {
      name: '8 texts at once that ask for link suggestions',
      strike: (attacker) =>
        atOnce(8, async () => (await attacker.asAgent('POST', 'blogs/link-suggestions', { text: LONG_TEXT })).status),
    },
    inLargeProject('8 texts at once that ask for link suggestions among 20,000 posts', 8, () => [
      'POST',
      'blogs/link-suggestions',
      { text: LONG_TEXT },
    ]),
    inLargeProject('50 searches at once among 20,000 posts', 50, (number) => ['GET', `blogs?q=none-${number}`]),
    inLargeProject('50 lists at once of 100 of 20,000 posts', 50, () => ['GET', 'blogs?limit=100']),
  ];
}

function inLargeProject(
  name: string,
  count: number,
  requestOf: (number: number) => Parameters<Attacker['inLargeProject']>,
): Attack {
  return {
    name,
    async prepare(attacker) {
      await attacker.inLargeProject('GET', 'blogs?limit=1');
    },
    strike: (attacker) =>
      Promise.all(Array.from({ length: count }, (_, number) => attacker.inLargeProject(...requestOf(number)))),
  };
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

/** Each publish is of another content. */
function largePublishes(): Attack {
  const blogIds: string[] = [];
  let number = 0;
  return {
    name: '6 publishes at once of posts of 500,000 characters',
    async prepare(attacker) {
      for (let index = 0; index < 6; index += 1) {
        const { body } = await attacker.asAgent('POST', 'blogs', { title: `Large ${index}` });
        blogIds.push((body as { id: string }).id);
      }
    },
    async strike(attacker) {
      const publish = async (id: string): Promise<number> => {
        const content = `<p>Edition ${(number += 1)}</p>${LARGE_POST}`;
        const written = await attacker.asAgent('PATCH', `blogs/${id}`, { content });
        if (written.status !== 200) return written.status;
        return (await attacker.asAgent('POST', `blogs/${id}/publish`)).status;
      };
      return Promise.all(blogIds.map(publish));
    },
  };
}

/** Jobs of the offline writer, each with as much to read as it takes; lasts until all have ended. */
function generations(): Attack {
  const sources = Array.from({ length: 10 }, (_, index) => ({
    title: `Source ${index}`,
    text: 'In 1904 the tea trade of Assam sold 90,000 chests. Most of them went by ship. '.repeat(600),
  }));
  return {
    name: '50 generation jobs at once',
    async strike(attacker) {
      const asked = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          attacker.asAgent('POST', 'blogs/generate', { topic: `Tea ${index}`, length: 5_000, sources }),
        ),
      );
      const isWaiting = async () => {
        const { body } = await attacker.asAgent('GET', 'generations?limit=100');
        const { items } = body as { items: readonly { status: string }[] };
        return items.some(({ status }) => status === 'waiting' || status === 'running');
      };
      while (await isWaiting()) await new Promise((resolve) => setTimeout(resolve, 200));
      return asked.map(({ status }) => status);
    },
  };
}

function uploads(): Attack {
  const pictures: Uint8Array[] = [];
  return {
    name: '8 pictures at once of 12 megapixels',
    async prepare() {
      for (let index = 0; index < 8; index += 1) {
        const noise = { type: 'gaussian', mean: 100 + index, sigma: 40 } as const;
        const create = { width: 4_000, height: 3_000, channels: 3, noise, background: 'white' } as const;
        pictures.push(await sharp({ create }).jpeg({ quality: 60 }).toBuffer());
      }
    },
    strike: (attacker) => Promise.all(pictures.map((picture) => attacker.upload(picture))),
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
