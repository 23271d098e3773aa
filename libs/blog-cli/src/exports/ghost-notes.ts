import { sentenceOn, sentenceOnNames } from './exported-post.ts';
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
  return [
    ...sentenceOn(
      titles(isForMembers),
      'members-only post, imported as a draft',
      'members-only posts, imported as drafts',
    ),
    ...sentenceOn(
      titles(hasGatedParts),
      'post has members-only sections, not imported',
      'posts have members-only sections, not imported',
    ),
    ...sentenceOn(
      titles((post) => isStillGated(htmlForAll(post))),
      'post has inseparable members-only sections, imported as a draft',
      'posts have inseparable members-only sections, imported as drafts',
    ),
    ...sentenceOn(
      withDates(({ isScheduled }) => isScheduled),
      'scheduled post (pass --publish to schedule it here)',
      'scheduled posts (pass --publish to schedule them here)',
    ),
    ...sentenceOn(
      withDates(({ row, isScheduled }) => row.status === 'scheduled' && !isScheduled && !isForMembers(row)),
      'post missed its scheduled time, imported as a draft',
      'posts missed their scheduled time, imported as drafts',
    ),
    ...sentenceOn(
      titles(({ status, published_at }) => status === 'published' && toTime(published_at) === null),
      'post has no valid date, imported as a draft',
      'posts have no valid date, imported as drafts',
    ),
    ...sentenceOn(
      titles(({ status }) => status === 'sent'),
      'email-only post, imported as a draft',
      'email-only posts, imported as drafts',
    ),
    ...sentenceOn(
      titles(lacksHtml),
      'post has no HTML in the export, imported as a plain-text draft',
      'posts have no HTML in the export, imported as plain-text drafts',
    ),
    ...sentenceOn(
      titles(({ codeinjection_head: head, codeinjection_foot: foot }) => head || foot),
      'post has code injection, not imported',
      'posts have code injection, not imported',
    ),
    ...sentenceOn(
      titles(({ id }) => metaOf.get(id)?.feature_image_caption),
      'post has a featured image caption, not imported',
      'posts have a featured image caption, not imported',
    ),
    ...sentenceOnNames(
      'Embeds of unsupported sites not imported',
      read.map(({ row, lostFrames }) => ({ title: titleOf(row), names: lostFrames })),
    ),
    ...sentenceOn(pages.map(titleOf), 'page not imported (posts only)', 'pages not imported (posts only)'),
  ];
}
