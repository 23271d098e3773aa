import { useCallback, useState } from 'react';
import type { Blog, BlogUpdateRequest } from '../../../generated/types.gen.ts';
import { extraNames, type ExtraField } from '../../../strings/writing/extra-fields.ts';
import { reasonOf } from '../field-names.ts';
import type { SaveState } from '../saving/save-queue.ts';
import { isSlug } from './post-address.ts';
import { useSlugOfTitle } from './use-slug-of-title.ts';

/** What is written in the editor, chosen as the feature image, made by a generation, or asked when a slug is an alias. */
type Elsewhere = 'title' | 'content' | 'content_markdown' | 'featured_image_url' | 'generated_images' | 'release_alias';
/** Edited here, by a field that holds more than a text. */
type Dates = 'published_at';
/** The fields that are edited here: all others that authors write. A new one does not compile until it has a label. */
type Fields = { [Name in Exclude<keyof BlogUpdateRequest, Elsewhere | Dates>]-?: Exclude<Blog[Name], null> };

export type PostFields = ReturnType<typeof usePostFields>;

/** The fields beside title and content, filled once. Each is saved when typing rests. */
export function usePostFields(props: {
  blog: Blog;
  title: string;
  refused: SaveState['refused'];
  onChange: (field: string, value: unknown) => void;
}) {
  const { blog, refused, onChange } = props;
  const [values, setValues] = useState<Fields>({
    slug: blog.slug,
    // Only what somebody wrote is in the field: an automatic one would be stored with the first key.
    excerpt: blog.excerpt === blog.automatic_excerpt ? '' : blog.excerpt,
    meta_title: blog.meta_title ?? '',
    meta_description: blog.meta_description ?? '',
    keyword: blog.keyword ?? '',
    categories: blog.categories,
    tags: blog.tags,
    ...extrasOf(blog),
  });
  const set = <Name extends keyof Fields>(name: Name, value: Fields[Name]) => {
    setValues((before) => ({ ...before, [name]: value }));
    if (name === 'slug' && !isSlug(value as string)) return;
    onChange(name, NULLABLE.has(name) && value === '' ? null : value);
  };
  const follow = useCallback(
    (slug: string) => {
      setValues((before) => ({ ...before, slug }));
      onChange('slug', slug);
    },
    [onChange],
  );
  const leaveSlug = useSlugOfTitle({ blog, title: props.title, isRefused: refused.has('slug'), onSlug: follow });
  const errorOf = (name: string) => (refused.has(name) ? reasonOf(name, refused.get(name)) : undefined);
  return { values, set, leaveSlug, errorOf };
}

const extrasOf = (blog: Blog) =>
  Object.fromEntries(extraNames.map((name) => [name, blog[name]])) as Pick<Fields, ExtraField>;

/** Without a text these are null. */
const NULLABLE = new Set(['meta_title', 'meta_description', 'keyword']);
