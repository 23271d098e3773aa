import { extras, referencesIn, resolveReferences, type Extras } from '@blog-content/payload-schemas';

/** Slugs of the project's posts, by their ids. */
export type PostSlugs = ReadonlyMap<string, string>;

/** The extra fields of a post for files: its data refers to posts by their slugs, which another project can have. */
export function portableExtras(stored: object, slugs: PostSlugs): Partial<Extras> {
  const { data, ...others } = extras.given(stored) ?? {};
  if (data === undefined || Object.keys(data).length === 0) return others;
  if (referencesIn(data).length === 0) return { ...others, data };
  const resolved = Object.entries(resolveReferences(data, (id) => slugs.get(id))).map(([name, value]) => {
    const isReference = referencesIn({ value: data[name] }).length > 0;
    return [name, isReference ? ((value as { slug: string } | null)?.slug ?? null) : value] as const;
  });
  return { ...others, data: Object.fromEntries(resolved.filter(([, value]) => value !== null)) as Extras['data'] };
}
