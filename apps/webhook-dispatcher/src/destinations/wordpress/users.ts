import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { PostAuthor } from '../destination.ts';
import { isSamePerson } from '../post-author.ts';
import type { TargetClient } from '../target-client.ts';
import type { WordPressSite } from './site.ts';

const USER = 'id,slug,email';
const user = z.object({ id: z.int(), slug: z.string(), email: z.string().optional() });
const me = user.extend({ capabilities: z.record(z.string(), z.unknown()) });

/**
 * The ID of the user to show as the author. A post in WordPress has one author: the first with a user there. Undefined
 * if none has a user, or if the credential's user may not edit others' posts.
 *
 * @param mayCreate whether to create users for authors without one
 */
export async function authorId(
  { route }: WordPressSite,
  client: TargetClient,
  authors: readonly PostAuthor[],
  mayCreate: boolean,
): Promise<number | undefined> {
  if (authors.length === 0) return undefined;
  const aboutMe = route('/wp/v2/users/me', { context: 'edit', _fields: `${USER},capabilities` });
  // Some sites hide their users. The post then keeps its author.
  const answer = await client.call({ method: 'GET', url: aboutMe, expected: [400, 401, 403, 404] });
  const own = me.safeParse(answer.json).data;
  if (own === undefined) return undefined;
  const may = (capability: string) => own.capabilities[capability] === true;
  if (!may('edit_others_posts')) return authors.some((author) => isSamePerson(author, own)) ? own.id : undefined;
  // Without `list_users`, the site lists only users with posts, and no email addresses.
  const context = may('list_users') ? 'edit' : 'view';
  const find = async (query: Readonly<Record<string, string>>, author: PostAuthor) => {
    const url = route('/wp/v2/users', { ...query, context, per_page: '100', _fields: USER });
    const answer = await client.call({ method: 'GET', url, expected: [400, 401, 403, 404] });
    const found = z.array(user).safeParse(answer.json).data ?? [];
    return found.find((one) => isSamePerson(author, one));
  };
  for (const author of authors) {
    const byAddress =
      author.email === null || context === 'view' ? undefined : await find({ search: author.email }, author);
    const found = byAddress ?? (await find({ slug: author.slugs.join(',') }, author));
    if (found !== undefined) return found.id;
    if (!mayCreate || author.email === null || !may('create_users')) continue;
    const made = await client.call({
      method: 'POST',
      url: route('/wp/v2/users', { _fields: USER }),
      json: {
        ...{ username: author.slugs[0], slug: author.slugs[0], name: author.name, email: author.email },
        // They can write drafts, if they ever reset the password.
        ...{ roles: ['contributor'], password: randomBytes(24).toString('base64url') },
      },
      // The name or address is taken, or the site accepts no new users.
      expected: [400, 401, 403, 404, 500],
    });
    const created = user.safeParse(made.json);
    if (created.success) return created.data.id;
  }
  return undefined;
}
