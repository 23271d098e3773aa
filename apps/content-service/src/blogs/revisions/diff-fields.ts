import { isDeepStrictEqual } from 'node:util';
import type { revisionDiff } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { StoredFields } from '../writing/draft.ts';
import { showFields } from './show-revision.ts';

type Diff = z.infer<typeof revisionDiff>;

/** Which fields differ between two states of a blog, by their wire names; the content has a comparison of its own. */
export function diffFields(before: StoredFields, after: StoredFields): Diff['fields'] {
  const { content: _before, content_markdown: _markdownBefore, ...fieldsBefore } = showFields(before);
  const { content: _after, content_markdown: _markdownAfter, ...fieldsAfter } = showFields(after);
  return Object.entries(fieldsBefore).flatMap(([field, value]) => {
    const now = fieldsAfter[field as keyof typeof fieldsAfter];
    return isDeepStrictEqual(value, now) ? [] : [{ field, before: value, after: now }];
  });
}
