import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createLogger } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import { serveApp } from '../../../../test/serve-app.ts';
import { unpackExport } from '../../../../test/transfer/exports.ts';
import type { Image } from '../../../images/library/image-store.ts';
import { createPortableWriter } from '../portable/portable-writer.ts';
import { createExportPlaces } from './export-places.ts';
import { sendExport } from './export-project.ts';
import { siteFiles } from '../portable/site/site-files.ts';
import type { ExportStore, Snapshot } from './export-store.ts';

const IMAGES = 24;
const IMAGE_BYTES = 1_048_576;

async function* none(): AsyncGenerator<never> {}

const empty = {
  targets: () => Promise.resolve(new Map()),
  currentTranslations: () => Promise.resolve(new Map()),
  slugs: () => Promise.resolve(new Map()),
  imageNames: () => Promise.resolve(new Map()),
  settings: () =>
    Promise.resolve({ authors: [], generation: null, autopilot: null, topics: [], dataFields: null, brandVoice: null }),
} satisfies Partial<Snapshot>;

/** Projects without posts, whose images are more than the system takes for a reader that does not read. */
const exports: ExportStore = {
  read: (id, read) => {
    const project = { id, name: 'Site', siteUrl: null, createdAt: new Date(0) };
    return read({ project, blogs: none, revisions: none, publishes: none, ...empty } satisfies Snapshot);
  },
  async *images(projectId) {
    for (let number = 0; number < IMAGES; number += 1) {
      const sha256 = number.toString(16).padStart(64, '0');
      const image: Partial<Image> = { projectId, sha256, ext: 'png', alt: '', createdAt: new Date(0) };
      yield await Promise.resolve(image as Image);
    }
  },
};
const stored = { contentType: 'image/png', etag: '"1"', size: IMAGE_BYTES, start: 0, end: IMAGE_BYTES - 1 };
const imageStorage = {
  get: () => Promise.resolve({ ...stored, body: Readable.from([randomBytes(IMAGE_BYTES)]) }),
};

it('readers that stand still keep nobody else out: one of them loses its export, and sees that it is broken', async () => {
  let nowMs = 0;
  const exportPlaces = createExportPlaces(() => nowMs);
  const dependencies = {
    exports,
    exportPlaces,
    imageStorage,
    portableWriter: createPortableWriter(),
    clock: () => new Date(0),
    logger: createLogger('content-service', 'error'),
  };
  await using app = await serveApp((served) => {
    served.get('/:requestedBy', async ({ params: { requestedBy } }, response) => {
      await sendExport(
        dependencies,
        { projectId: `project of ${requestedBy}`, requestedBy, format: 'written', webhooks: null },
        response,
      );
    });
  });
  const ask = (account: string) => fetch(`${app.origin}/${account}`);

  const open = await Promise.all(['a', 'b', 'c'].map(ask));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await ask('d')).status).toBe(429);
  // Until the first of them stands still.
  const newcomer = await eventually(async () => {
    nowMs += 60_000;
    const answer = await ask('d');
    expect(answer.status).toBe(200);
    return answer;
  });
  const ends = await Promise.allSettled([...open, newcomer].map(unpackExport));
  expect(ends.slice(0, 3).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  const whole = ends.flatMap((end) => (end.status === 'fulfilled' ? [Object.keys(end.value.files).length] : []));
  // With the data of the project, its settings, redirects, posts and images, and what site generators need.
  expect(whole).toEqual(Array.from({ length: 3 }, () => IMAGES + 5 + siteFiles('Site', null).length));
});
