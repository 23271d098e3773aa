import { MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';
import { eventually } from '@blog-content/testing';
import { createScarceWork, MAX_IMAGES_HELD } from '../concurrency/scarce-work.ts';
import { createImageCopies, withCopies } from './image-copies.ts';

const image = (address: string) => `<img src="${address}" alt="">`;
const copyAt = (url: string) => ({ id: '1', url });

describe('the copies of images in a post', () => {
  it('replace the images, each once, even if a copy has the URL of another image', () => {
    const copies = new Map([
      ['https://a.example/1?x=1&amp;y=2', copyAt('https://a.example/2')],
      ['https://a.example/2', copyAt('https://b.example/"2"')],
    ]);
    const content = [
      image('https://a.example/1?x=1&amp;y=2'),
      image('https://a.example/2'),
      image('https://a.example/3'),
    ];
    expect(withCopies(content.join(''), copies)).toBe(
      [image('https://a.example/2'), image('https://b.example/&quot;2&quot;'), image('https://a.example/3')].join(''),
    );
  });

  it('add no more characters to a post than links may, and later images keep their URLs', () => {
    const content = image('https://a.example/1').repeat(10_000);
    const copies = new Map([['https://a.example/1', copyAt(`https://b.example/${'&'.repeat(2_000)}`)]]);
    const copied = withCopies(content, copies);
    expect(copied.length).toBeGreaterThan(content.length);
    expect(copied.length - content.length).toBeLessThanOrEqual(MAX_LINK_CHARACTERS);
    expect(copied.endsWith(image('https://a.example/1'))).toBe(true);
  });

  it('are not kept if their URL is too long or not storable', async () => {
    const kept: string[] = [];
    const copies = createImageCopies(
      { integrationId: 'an integration', projectId: 'a project' },
      { isHeld: () => true, interrupted: new AbortController().signal },
      {
        store: {
          findImages: () => Promise.resolve(new Map()),
          ownerOf: () => Promise.resolve('an account'),
          keepImage: (_integration, source) => Promise.resolve(void kept.push(source)),
        },
        fetchImage: () => Promise.resolve({ bytes: new Uint8Array(), type: 'image/png', fileName: 'a.png' }),
        queue: createScarceWork().images,
      },
    );
    const addresses: Record<string, string> = {
      'https://a.example/long': `https://b.example/${'a'.repeat(2_048)}`,
      'https://a.example/nul': 'https://b.example/\0',
      'https://a.example/good': 'https://b.example/good',
    };
    const images = Object.keys(addresses).map((url) => ({ url, alt: url }));
    const taken = await copies.take(images, (_image, alt) => Promise.resolve(copyAt(addresses[alt] ?? '')));
    expect([...taken.keys()]).toEqual(['https://a.example/good']);
    expect(kept).toEqual(['https://a.example/good']);
  });

  describe('in memory', () => {
    /** One image is taken for each of these accounts, each for a project of its own. */
    const takeFor = () => {
      const queue = createScarceWork().images;
      const interruption = new AbortController();
      const fetched: { owner: string; end: () => void }[] = [];
      const taking: Promise<unknown>[] = [];
      return {
        owners: () => fetched.map(({ owner }) => owner),
        end: (index: number) => fetched[index]?.end(),
        take(owner: string) {
          const copies = createImageCopies(
            { integrationId: 'an integration', projectId: `project ${taking.length}` },
            { isHeld: () => !interruption.signal.aborted, interrupted: interruption.signal },
            {
              store: {
                findImages: () => Promise.resolve(new Map()),
                ownerOf: () => Promise.resolve(owner),
                keepImage: () => Promise.resolve(),
              },
              fetchImage: () =>
                new Promise((resolve) => {
                  fetched.push({ owner, end: () => resolve(null) });
                  if (interruption.signal.aborted) resolve(null);
                }),
              queue,
            },
          );
          taking.push(copies.take([{ url: 'https://slow.example/a', alt: '' }], () => Promise.resolve(null)));
        },
        async stop() {
          interruption.abort();
          for (const { end } of fetched) end();
          await Promise.all(taking);
        },
      };
    };

    it('run one at a time for an account, over all of its projects', async () => {
      const images = takeFor();
      for (let count = 0; count < MAX_IMAGES_HELD; count += 1) images.take('greedy');
      images.take('another');
      await eventually(() => expect(images.owners()).toEqual(['greedy', 'another']));
      await images.stop();
    });

    it('run in turns of accounts: first copies come before others’ next ones', async () => {
      const images = takeFor();
      const greedy = Array.from({ length: MAX_IMAGES_HELD }, (_, index) => `greedy ${index}`);
      for (const owner of [...greedy, ...greedy, ...greedy]) images.take(owner);
      await eventually(() => expect(images.owners()).toEqual(greedy));
      images.take('another');
      for (let ended = 0; ended < 2 * greedy.length; ended += 1) {
        await eventually(() => expect(images.owners().length).toBe(greedy.length + ended));
        images.end(ended);
      }
      await eventually(() => expect(images.owners().length).toBeGreaterThan(2 * greedy.length));
      expect(images.owners().slice(0, 2 * greedy.length + 1)).toEqual([...greedy, ...greedy, 'another']);
      await images.stop();
    });
  });
});
