import { createHash } from 'node:crypto';
import { seededRandom } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { buildPayload, encodePayload } from './build-payload.ts';

const BODIES = 500;
/** Of all bodies, as they were before fields on request existed. */
const RECORDED = '5e3270162d04b5e4bffd9dfeaf597e342bccd5c59315bed3d87220e789573761';
const WORDS = ['tea', 'water', 'Über', '日本', 'a & b', '<i>', '[INTERNAL:soup]'];
/** What a post can have, and no body has unless its webhook asks for it. */
const UNASKED = {
  canonical_url: 'https://first.example/post',
  noindex: true,
  og_title: 'Shared',
  og_description: 'Shared, described',
  og_image_url: 'https://cdn.example/og.jpg',
  x_title: 'On X',
  x_description: 'On X, described',
  x_image_url: 'https://cdn.example/x.jpg',
};

it(`builds ${BODIES} recorded bodies byte for byte as before fields on request existed`, () => {
  const random = seededRandom(49);
  const oneOf = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)]!;
  const some = (count: number) => Array.from({ length: Math.floor(random() * (count + 1)) }, () => oneOf(WORDS));
  const hash = createHash('sha256');
  for (let number = 0; number < BODIES; number += 1) {
    const { data } = testBlog('2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11').published({
      blog_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      publish_id: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
      trigger: oneOf(['manual', 'autopilot']),
      published_link_targets: oneOf([[], [{ slug: 'soup', title: 'Soup' }]]),
      revision: {
        title: some(4).join(' '),
        slug: `post-${number}`,
        content: `<p>${some(9).join(' ')}</p>${oneOf(['', '<img src="https://cdn.example/a.jpg" alt="A" />'])}`,
        excerpt: some(60).join(' '),
        meta_title: oneOf([null, 'Meta']),
        meta_description: oneOf([null, 'Meta, described']),
        featured_image_url: oneOf([null, 'https://cdn.example/a.jpg']),
        categories: some(2),
        tags: some(3),
        keyword: oneOf([null, 'tea']),
        ...oneOf([{}, UNASKED]),
      },
    });
    const receiverHasBlog = random() < 0.5;
    const context = {
      receiverHasBlog,
      receiverSlug: receiverHasBlog ? oneOf([null, 'before']) : null,
      attempt: oneOf([1, 2, 5]),
      retries: data.trigger === 'autopilot',
    };
    hash.update(encodePayload(buildPayload(data, context)));
  }
  expect(hash.digest('hex')).toBe(RECORDED);
});
