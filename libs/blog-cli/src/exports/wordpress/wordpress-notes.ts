import { sentenceOn, sentenceOnAuthors, sentenceOnNames, type ExportedPost } from '../exported-post.ts';
import type { WordPressHtml } from './wordpress-html.ts';
import { hasPassword, lacksZone, metaOf, text, timeOf, type Item } from './wordpress-item.ts';

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
      'post has a password, and is a draft here',
      'posts have a password, and are drafts here',
    ),
    ...sentenceOn(
      titles(status('private')),
      'post is private, and is a draft here',
      'posts are private, and are drafts here',
    ),
    ...sentenceOn(
      read.filter(({ gates }) => gates.length > 0).map(({ post, gates }) => `${post.title} (${gates.join(', ')})`),
      'post may have parts that only members read, and is a draft here',
      'posts may have parts that only members read, and are drafts here',
    ),
    ...sentenceOn(
      titles(status('pending')),
      'post waits for review, and is a draft here',
      'posts wait for review, and are drafts here',
    ),
    ...sentenceOn(
      future.filter(({ isScheduled }) => isScheduled).map(dated),
      'post is scheduled there, and here when it is imported with --publish',
      'posts are scheduled there, and here when they are imported with --publish',
    ),
    ...sentenceOn(
      future.filter(({ isScheduled }) => !isScheduled).map(dated),
      'post was scheduled for a time that has passed, and is a draft here',
      'posts were scheduled for times that have passed, and are drafts here',
    ),
    ...sentenceOn(
      titles((one) => status('publish')(one) && timeOf(one.item) === null),
      'post has no date that can be read, and is a draft here',
      'posts have no date that can be read, and are drafts here',
    ),
    ...sentenceOn(
      titles(({ lacksImage }) => lacksImage),
      'post has a featured image that is not in the export (“All content” has it)',
      'posts have a featured image that is not in the export (“All content” has it)',
    ),
    ...sentenceOn(
      titles(({ item, post }) => !post.isDraft && lacksZone(item)),
      'post has a date without a zone, which is read as UTC',
      'posts have a date without a zone, which is read as UTC',
    ),
    ...sentenceOn(
      titles(({ item }) => isHidden(metaOf(item))),
      'post is hidden from search engines there (noindex), which is not taken over',
      'posts are hidden from search engines there (noindex), which is not taken over',
    ),
    ...sentenceOn(
      titles(({ item }) => CANONICAL.some((key) => (metaOf(item).get(key) ?? '') !== '')),
      'post has a canonical URL, which is not taken over',
      'posts have a canonical URL, which is not taken over',
    ),
    ...sentenceOnNames('Shortcodes stay as text, look for them', having('shortcodes')),
    ...sentenceOnNames('Blocks that only WordPress can show are left out', having('lostBlocks')),
    ...sentenceOnNames('Shared blocks that are not published, or are too long, are left out', having('lostShared')),
    ...sentenceOnNames('Frames of other sites that posts cannot show are left out', having('lostFrames')),
    ...sentenceOnNames('Meta titles and descriptions with unknown variables are left out', having('lostVariables')),
    ...sentenceOnNames('Taxonomies that are not taken over', having('taxonomies')),
    ...(comments > 0 ? [`${comments} ${comments === 1 ? 'comment is' : 'comments are'} not taken over.`] : []),
    ...sentenceOnAuthors(new Set(read.flatMap(({ item }) => text(item['dc:creator']) || []))),
  ];
}

const CANONICAL = ['_yoast_wpseo_canonical', 'rank_math_canonical_url'];

const isHidden = (meta: ReadonlyMap<string, string>): boolean =>
  meta.get('_yoast_wpseo_meta-robots-noindex') === '1' || (meta.get('rank_math_robots') ?? '').includes('noindex');
