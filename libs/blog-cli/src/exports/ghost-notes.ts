import { sentenceOn, sentenceOnAuthors, sentenceOnNames } from './exported-post.ts';
import type { GhostData, GhostPost } from './ghost-data.ts';
import {
  hasGatedParts,
  htmlForAll,
  isForMembers,
  isStillGated,
  lacksHtml,
  titleOf,
  toTime,
  type ReadGhostPost,
} from './ghost-post.ts';

/** What is said of posts and pages. */
export function notesOn(read: readonly ReadGhostPost[], pages: readonly GhostPost[], data: GhostData): string[] {
  const titles = (is: (post: GhostPost) => unknown) => read.filter(({ row }) => is(row)).map(({ row }) => titleOf(row));
  const withDates = (is: (one: ReadGhostPost) => boolean) =>
    read.filter(is).map(({ row }) => `${titleOf(row)} (${toTime(row.published_at) ?? 'no date'})`);
  const metaOf = new Map(data.posts_meta.map((meta) => [meta.post_id, meta] as const));
  const authorOf = new Map(data.users.map(({ id, name }) => [id, name] as const));
  const ids = new Set(read.map(({ row }) => row.id));
  const authors = data.posts_authors.flatMap(({ post_id, author_id }) =>
    ids.has(post_id) ? (authorOf.get(author_id) ?? []) : [],
  );
  return [
    ...sentenceOn(
      titles(isForMembers),
      'post is for members, and is a draft here',
      'posts are for members, and are drafts here',
    ),
    ...sentenceOn(
      titles(hasGatedParts),
      'post has parts for members, which are left out',
      'posts have parts for members, which are left out',
    ),
    ...sentenceOn(
      titles((post) => isStillGated(htmlForAll(post))),
      'post has parts for members that cannot be told from the rest, and is a draft here',
      'posts have parts for members that cannot be told from the rest, and are drafts here',
    ),
    ...sentenceOn(
      withDates(({ isScheduled }) => isScheduled),
      'post is scheduled there, and here when it is imported with --publish',
      'posts are scheduled there, and here when they are imported with --publish',
    ),
    ...sentenceOn(
      withDates(({ row, isScheduled }) => row.status === 'scheduled' && !isScheduled && !isForMembers(row)),
      'post was scheduled for a time that has passed, and is a draft here',
      'posts were scheduled for times that have passed, and are drafts here',
    ),
    ...sentenceOn(
      titles(({ status, published_at }) => status === 'published' && toTime(published_at) === null),
      'post has no date that can be read, and is a draft here',
      'posts have no date that can be read, and are drafts here',
    ),
    ...sentenceOn(
      titles(({ status }) => status === 'sent'),
      'post was sent as an email only, and is a draft here',
      'posts were sent as emails only, and are drafts here',
    ),
    ...sentenceOn(
      titles(lacksHtml),
      'post has no HTML in the export, and is a draft of its words here',
      'posts have no HTML in the export, and are drafts of their words here',
    ),
    ...sentenceOn(
      titles(({ canonical_url: url }) => url),
      'post has a canonical URL, which is not taken over',
      'posts have a canonical URL, which is not taken over',
    ),
    ...sentenceOn(
      titles(({ codeinjection_head: head, codeinjection_foot: foot }) => head || foot),
      'post has code of its own (code injection), which is not taken over',
      'posts have code of their own (code injection), which is not taken over',
    ),
    ...sentenceOn(
      titles(({ id }) => metaOf.get(id)?.feature_image_caption),
      'post has a caption of its featured image, which is not taken over',
      'posts have a caption of their featured image, which is not taken over',
    ),
    ...sentenceOn(
      titles(({ id }) => metaOf.get(id)?.isSocial),
      'post has titles or images for social networks, which are not taken over',
      'posts have titles or images for social networks, which are not taken over',
    ),
    ...sentenceOnNames(
      'Frames of other sites that posts cannot show are left out',
      read.map(({ row, lostFrames }) => ({ title: titleOf(row), names: lostFrames })),
    ),
    ...sentenceOnAuthors(new Set(authors)),
    ...sentenceOn(
      pages.map(titleOf),
      'page is not taken over: only posts are',
      'pages are not taken over: only posts are',
    ),
  ];
}
