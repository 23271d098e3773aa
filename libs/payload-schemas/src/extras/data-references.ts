import { z } from 'zod';

/** Values of a post's data fields, by their names. */
export type PostData = Readonly<Record<string, unknown>>;

/** How data refers to a post: by its id, so that it outlives a rename. No other value of a field looks like it. */
export const postReference = z.strictObject({ post_id: z.uuid().toLowerCase() });

const idOf = (value: unknown): string | undefined =>
  typeof value === 'object' ? postReference.safeParse(value).data?.post_id : undefined;

/** The ids of the posts that data refers to, each once. */
export const referencesIn = (data: PostData): string[] => [
  ...new Set(Object.values(data).flatMap((value) => idOf(value) ?? [])),
];

/**
 * The data as readers and receivers get it: each reference is `{ id, slug }`, or null while its post is not published.
 * @param slugOf the slug that a post is published under.
 */
export function resolveReferences(data: PostData, slugOf: (postId: string) => string | undefined): PostData {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const id = idOf(value);
      if (id === undefined) return [name, value];
      const slug = slugOf(id);
      return [name, slug === undefined ? null : { id, slug }];
    }),
  );
}
