import { ContentBreaksWork, createContentWork, type ContentWork } from '../../../content/content-work.ts';
import { FileRefused } from './file-refused.ts';
import { importFile } from './import-file.ts';

const neverCalled = () => {
  throw new Error('not used');
};
const never = () => Promise.reject(new Error('not used'));
const file = {
  importId: 'i',
  number: 1,
  path: 'tea.md',
  projectId: 'p',
  requestedBy: 'a',
  publish: false,
  existing: 'skip',
  hostImages: false,
  post: { slug: 'tea', request: { title: 'Tea', content_markdown: 'Tea.' }, isDraft: true, date: null, notes: [] },
} as const;

const importWith = (
  contentWork: Pick<ContentWork, 'clean'>,
  request: { title: string; content_markdown: string } = file.post.request,
) =>
  importFile(
    {
      imports: {
        withFile: never,
        standing: () => Promise.resolve(new Map()),
        imagesByHash: () => Promise.resolve(new Map()),
      },
      images: { save: never, fetch: never },
      authors: { findOrCreate: never },
      imageBaseUrl: 'https://images.example',
      blogs: { find: never, findBySlug: never },
      dataFields: { find: never, save: never },
      publishing: { prepareUnwritten: never },
      postStoresOn: neverCalled,
      contentWork,
      clock: () => new Date(),
    },
    { ...file, post: { ...file.post, request } },
  );

describe('a file whose title is nothing but link placeholders', () => {
  it('fails, and is not tried again', async () => {
    const clean = () => Promise.resolve({});
    const failing = importWith({ clean }, { ...file.post.request, title: '[INTERNAL:x]' });
    await expect(failing).rejects.toThrow(FileRefused);
    await expect(failing).rejects.toThrow('title: must have text besides link placeholders');
  });
});

describe('a file whose content cannot be cleaned', () => {
  it('is tried again when the database could not be asked whose content it is', async () => {
    const cutOff = new Error('terminating connection due to administrator command');
    const contentWork = createContentWork(() => Promise.reject(cutOff));
    await expect(importWith(contentWork)).rejects.toBe(cutOff);
    await contentWork.close();
  });

  it('is refused when cleaning breaks on it', async () => {
    const clean = () => Promise.reject(new ContentBreaksWork('cleanContent has thrown.'));
    await expect(importWith({ clean })).rejects.toBeInstanceOf(FileRefused);
  });
});
