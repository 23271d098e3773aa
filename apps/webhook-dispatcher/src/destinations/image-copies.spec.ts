import { MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';
import { eventually } from '@blog-content/testing';
import { createImageCopies, MAX_IMAGES_HELD, withCopies } from './image-copies.ts';
import { createSlots } from '../concurrency/slots.ts';

const image = (address: string) => `<img src="${address}" alt="">`;
const copyAt = (url: string) => ({ id: '1', url });

describe('the copies of images in a post', () => {
  it('stand where the images stood, each once, though a copy may be at the address of another image', () => {
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

  it('add no more characters to a post than links may: images that come after keep their address', () => {
    const content = image('https://a.example/1').repeat(10_000);
    const copies = new Map([['https://a.example/1', copyAt(`https://b.example/${'&'.repeat(2_000)}`)]]);
    const copied = withCopies(content, copies);
    expect(copied.length).toBeGreaterThan(content.length);
    expect(copied.length - content.length).toBeLessThanOrEqual(MAX_LINK_CHARACTERS);
    expect(copied.endsWith(image('https://a.example/1'))).toBe(true);
  });

  it('are not kept where their address is longer than any address may be, or no text of the database', async () => {
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
        slots: createSlots(1, 1),
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

  it('take one place of an account, however many projects it has: the others are left to other accounts', async () => {
    const slots = createSlots(MAX_IMAGES_HELD.slots, MAX_IMAGES_HELD.slotsEach);
    const ending = Promise.withResolvers<null>();
    const fetched: string[] = [];
    let isHeld = true;
    const takeOf = (projectId: string, owner: string) =>
      createImageCopies(
        { integrationId: 'an integration', projectId },
        { isHeld: () => isHeld, interrupted: new AbortController().signal },
        {
          store: {
            findImages: () => Promise.resolve(new Map()),
            ownerOf: () => Promise.resolve(owner),
            keepImage: () => Promise.resolve(),
          },
          fetchImage: () => {
            fetched.push(owner);
            return ending.promise;
          },
          slots,
        },
      ).take([{ url: 'https://slow.example/a', alt: '' }], () => Promise.resolve(null));
    const greedy = Array.from({ length: MAX_IMAGES_HELD.slots }, (_, index) => takeOf(`project ${index}`, 'greedy'));
    const other = takeOf('another project', 'another');
    await eventually(() => expect(fetched).toEqual(['greedy', 'another']));
    isHeld = false;
    ending.resolve(null);
    await Promise.all([...greedy, other]);
  });
});
