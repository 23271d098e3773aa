import { sentenceOn, sentenceOnNames, type ExportedPost } from '../exported-post.ts';
import type { WordPressHtml } from './wordpress-html.ts';
import { hasPassword, lacksZone, text, timeOf, type Item } from './wordpress-item.ts';

/** A post with what is to be said of it. */
export interface ReadItem extends Omit<WordPressHtml, 'html'> {
  readonly item: Item;
  readonly post: ExportedPost;
  /** Names of what else than categories and tags orders posts there. */
  readonly taxonomies: readonly string[];
  /** Of SEO texts that are left out for them. */
  readonly lostVariables: readonly string[];
  /** Whether it is to be published at its time. */
  readonly isScheduled: boolean;
  /** Whether its featured image is not in the export. */
  readonly lacksImage: boolean;
}

/** What is said of posts. */
export function notesOnPosts(read: readonly ReadItem[]): string[] {
  const titles = (is: (one: ReadItem) => boolean) => read.filter(is).map(({ post }) => post.title);
  const status = (name: string) => (one: ReadItem) => text(one.item['wp:status']) === name;
  const dated = ({ post, item }: ReadItem) => `${post.title} (${timeOf(item) ?? 'no date'})`;
  const future = read.filter(status('future'));
  const having = (list: 'shortcodes' | 'lostBlocks' | 'lostShared' | 'lostFrames' | 'taxonomies' | 'lostVariables') =>
    read.map((one) => ({ title: one.post.title, names: one[list] }));
  const comments = read.reduce((count, { item }) => count + (item['wp:comment']?.length ?? 0), 0);
  return [
    ...sentenceOn(
      titles(({ item }) => hasPassword(item)),
      'password-protected post, imported as a draft',
      'password-protected posts, imported as drafts',
    ),
    ...sentenceOn(titles(status('private')), 'private post, imported as a draft', 'private posts, imported as drafts'),
    ...sentenceOn(
      read.filter(({ gates }) => gates.length > 0).map(({ post, gates }) => `${post.title} (${gates.join(', ')})`),
      'post may have members-only sections, imported as a draft',
      'posts may have members-only sections, imported as drafts',
    ),
    ...sentenceOn(
      titles(status('pending')),
      'post pending review, imported as a draft',
      'posts pending review, imported as drafts',
    ),
    ...sentenceOn(
      future.filter(({ isScheduled }) => isScheduled).map(dated),
      'scheduled post (pass --publish to schedule it here)',
      'scheduled posts (pass --publish to schedule them here)',
    ),
    ...sentenceOn(
      future.filter(({ isScheduled }) => !isScheduled).map(dated),
      'post missed its scheduled time, imported as a draft',
      'posts missed their scheduled time, imported as drafts',
    ),
    ...sentenceOn(
      titles((one) => status('publish')(one) && timeOf(one.item) === null),
      'post has no valid date, imported as a draft',
      'posts have no valid date, imported as drafts',
    ),
    ...sentenceOn(
      titles(({ lacksImage }) => lacksImage),
      'post has a featured image that is not in the export (export “All content” to include it)',
      'posts have a featured image that is not in the export (export “All content” to include it)',
    ),
    ...sentenceOn(
      titles(({ item, post }) => !post.isDraft && lacksZone(item)),
      'post has a date without a time zone, read as UTC',
      'posts have a date without a time zone, read as UTC',
    ),
    ...sentenceOnNames('Shortcodes kept as text', having('shortcodes')),
    ...sentenceOnNames('WordPress-only blocks not imported', having('lostBlocks')),
    ...sentenceOnNames('Unpublished or oversized shared blocks not imported', having('lostShared')),
    ...sentenceOnNames('Embeds of unsupported sites not imported', having('lostFrames')),
    ...sentenceOnNames('Meta titles and descriptions with unknown variables not imported', having('lostVariables')),
    ...sentenceOnNames('Taxonomies not imported', having('taxonomies')),
    ...(comments > 0 ? [`${comments} ${comments === 1 ? 'comment' : 'comments'} not imported.`] : []),
  ];
}
