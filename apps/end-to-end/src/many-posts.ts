import type { Stack } from './stack.ts';

/** Ids of posts, by who is to publish them. */
export interface Posts {
  /** The owner. */
  readonly manual: readonly string[];
  /** An agent. */
  readonly autopilot: readonly string[];
}

/** How many of each. */
export type PostCounts = Readonly<Record<keyof Posts, number>>;

/** Sent as the hero, and used in the body as well: receivers are to get the body without it. */
export const HERO = 'https://cdn.example/hero.jpg';
/** As it is in the body. */
export const IMAGE = 'https://cdn.example/in-body.png?a=1&amp;b=2';

const AT_ONCE = 10;
/** Posts of one bulk request. */
const BULK = 40;
/** More than the buffers of a connection that nobody reads take: about 1.4 MB. */
const LONG_PARAGRAPH = `<p>${'茶'.repeat(480_000)}</p>`;

/** Creates posts; the manual ones whose place, from 0, `isLong` names do not fit into the buffers of a connection. */
export async function createPosts(
  { owner }: Stack,
  projectId: string,
  counts: PostCounts,
  isLong: (place: number) => boolean,
): Promise<Posts> {
  const create = async (title: string, more: string) => {
    const content = `<p>Text<img src="${HERO}"></p><p><img src="${IMAGE}"></p>${more}`;
    const post = { title, content, featured_image_url: HERO };
    return (await owner.post<{ id: string }>(`projects/${projectId}/blogs`, post)).id;
  };
  const createAll = async (kind: keyof Posts) => {
    const ids: string[] = [];
    while (ids.length < counts[kind]) {
      const places = Array.from({ length: Math.min(AT_ONCE, counts[kind] - ids.length) }, (_, at) => ids.length + at);
      const more = (place: number) => (kind === 'manual' && isLong(place) ? LONG_PARAGRAPH : '');
      ids.push(...(await Promise.all(places.map((place) => create(`${kind} ${place}`, more(place))))));
    }
    return ids;
  };
  const [manual, autopilot] = await Promise.all([createAll('manual'), createAll('autopilot')]);
  return { manual, autopilot };
}

/** Publishes posts in bulk, the owner's and the agent's at the same time. @throws when one is refused. */
export async function publishPosts(
  { local, owner }: Stack,
  projectId: string,
  agentKey: string,
  { manual, autopilot }: Posts,
): Promise<void> {
  const publish = async (path: string, token: string, ids: readonly string[]) => {
    for (let from = 0; from < ids.length; from += BULK) {
      const blogIds = ids.slice(from, from + BULK);
      const answer = await fetch(`${local.origin}/blog/api/v1/${path}/blogs/publish`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ blog_ids: blogIds }),
      });
      const text = await answer.text();
      const { results } = JSON.parse(text) as { results?: { ok: boolean }[] };
      const isPublished = results?.length === blogIds.length && results.every(({ ok }) => ok);
      if (!isPublished) throw new Error(`Not published: ${answer.status} ${text.slice(0, 500)}`);
    }
  };
  await Promise.all([
    publish(`owner/projects/${projectId}`, owner.token, manual),
    publish('agent', agentKey, autopilot),
  ]);
}
