import { extras, type BlogPublishedEvent } from '@blog-content/payload-schemas';

/** What the ids of sample posts begin with: receivers write nothing for them (contract §6.1). */
const PREVIEW_PREFIX = 'preview-';

const HERO = 'https://cdn.example/images/morning-tea.jpg';
const KETTLE = 'https://cdn.example/images/kettle.jpg';
const CUPS = 'https://cdn.example/images/cups.jpg?w=1200&amp;h=800';

/**
 * Has what bodies of posts have: headings, a list, a quote, a table, links, and images of which one comes twice
 * (contract §2.4).
 */
const CONTENT = [
  '<p>This is a sample post. Real posts look like this. Your receiver should not store it.</p>',
  '<h2>What you need</h2>',
  '<ul><li>Water, 95&nbsp;°C</li><li>One spoon of leaves a cup</li></ul>',
  `<figure><img src="${KETTLE}" alt="A kettle on the stove"><figcaption>Ready in four minutes</figcaption></figure>`,
  '<h3>How long it takes</h3>',
  '<table><tbody><tr><th>Black</th><td>3–5 min</td></tr><tr><th>Green</th><td>2 min</td></tr></tbody></table>',
  '<blockquote><p>“Tea first, then the rest.”</p></blockquote>',
  `<p>Warm the cups. <img src="${CUPS}" alt=""> <strong>Pour</strong>, <em>wait</em>, and look at the kettle again:</p>`,
  `<p><img src="${KETTLE}" alt="A kettle on the stove"></p>`,
  '<h4>Read on</h4>',
  '<p>More in <a href="[INTERNAL:tea-and-cake]">Tea &amp; cake</a> and at <a href="https://tea.example/guide">tea.example</a>.</p>',
].join('\n');

/**
 * A made-up publish of a post that has every kind of field filled, as if `publishedAt` were now. Manual, so without
 * `idempotency_key` and `publish_attempt`; its images lead nowhere.
 */
export function sampleEvent(
  ids: { blog: string; project: string; publish: string },
  publishedAt: Date,
): BlogPublishedEvent {
  const now = publishedAt.toISOString();
  return {
    event: 'blog.published',
    blog_id: `${PREVIEW_PREFIX}${ids.blog}`,
    project_id: ids.project,
    blog_event_number: 1,
    trigger: 'manual',
    publish_id: ids.publish,
    published_at: now,
    publication_began_at: now,
    site_url: 'https://site.example',
    revision: {
      number: 1,
      title: 'How to Make Tea & Keep It Warm',
      slug: 'how-to-make-tea',
      content: CONTENT,
      excerpt:
        'Four minutes, hot water and good leaves: how to make a pot of tea that is worth waiting for, and how to keep it warm until the last cup is gone.',
      meta_title: 'How to Make Tea: a Sample Post',
      meta_description: 'A sample post with everything that posts can have.',
      featured_image_url: HERO,
      categories: ['Drinks', 'How-to'],
      tags: ['tea', 'kettle', 'breakfast'],
      keyword: 'make tea',
      ...extras.examples,
    },
    published_link_targets: [{ slug: 'tea-and-cake', title: 'Tea & cake' }],
  };
}
