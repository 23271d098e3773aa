import { withoutPlaceholders } from '@blog-content/link-resolver';
import type { BlogSummary } from '../queries/published-blog.ts';
import { postUrl, type FeedChannel } from './feeds/feed-channel.ts';

/**
 * The posts in Markdown as llmstxt.org asks for it: the site's name, what there is, and a link to each with its
 * summary.
 */
export function renderLlmsTxt(posts: readonly BlogSummary[], total: number, channel: FeedChannel): string {
  const all = total === 1 ? '1 post' : `${total} posts`;
  const which = posts.length < total ? `The newest ${posts.length} of ${all}` : all;
  const lines = posts.map((post) => {
    const summary = oneLine(post.metaDescription ?? post.excerpt);
    return `- [${linkText(post.title)}](${linkTarget(postUrl(channel, post.slug))})${summary && `: ${summary}`}\n`;
  });
  return [
    `# ${oneLine(channel.title)}\n\n> ${which} of ${channel.siteUrl}/, newest first.\n\n## Posts\n\n`,
    ...lines,
  ].join('');
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/**
 * What would end a link's text, or begin another one, is escaped. A title that would spell a link placeholder with the
 * bracket before it follows a blank, which is in no spelling.
 */
function linkText(title: string): string {
  const text = oneLine(title).replaceAll(/[\\[\]]/g, String.raw`\$&`);
  return withoutPlaceholders(`[${text}`) === `[${text}` ? text : ` ${text}`;
}

/** Parentheses would end the address. */
const linkTarget = (url: string) => url.replaceAll('(', '%28').replaceAll(')', '%29');
