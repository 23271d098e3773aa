/** What a project’s stream says: which thing has changed (`ProjectNews` of libs/payload-schemas), or how it began. */
export interface News {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The beginning of the key that the generated client gives a query: its operation, and what of its path is known. */
export type QueryKey = readonly [{ readonly _id: string; readonly path?: Readonly<Record<string, string>> }];

type Rule = (id: (name: string) => Readonly<Record<string, string>>, data: News['data']) => readonly QueryKey[];

const all = (...operations: readonly string[]): readonly QueryKey[] => operations.map((_id) => [{ _id }]);
const one = (_id: string, path: Readonly<Record<string, string>>): QueryKey => [{ _id, path }];

/** Which queries may answer differently now, by the event; `id` is the path that names what the event is about. */
const RULES: Readonly<Record<string, Rule | undefined>> = {
  'blog.changed': (id, { version, state }) =>
    version === undefined
      ? // More than the working copy has changed.
        [
          ...all('listBlogs', 'countBlogs', 'listDeployHookRequests', 'listPublishes', 'getPublish'),
          // Whether readers find it among the translations of another post.
          ...all('listTranslations'),
          // Where its links lead, and those of other posts to it.
          ...all('listLinks'),
          one('getBlog', id('blogId')),
          one('listRevisions', id('blogId')),
        ]
      : // A save may be the first change since the publish, which is counted.
        [...all('listBlogs', ...(state === 'published' ? ['countBlogs'] : [])), one('getBlog', id('blogId'))],
  'publish.changed': (id) => [
    // A change waits for the deploy hook once readers have it.
    ...all('listPublishes', 'listDeployHookRequests'),
    one('getPublish', id('publishId')),
    one('listPublishesOfBlog', id('blogId')),
  ],
  'delivery.changed': (id, { publish_id: publishId }) => [
    // A webhook says how many of its deliveries have failed, and how the last ones went.
    ...all('listDeliveries', 'listPublishes', 'listWebhooks'),
    one('getWebhook', id('integrationId')),
    one('getDelivery', id('deliveryId')),
    // One that was sent again belongs to none, and may recover any.
    ...(publishId === null ? all('getPublish') : [one('getPublish', id('publishId'))]),
    one('listPublishesOfBlog', id('blogId')),
    // It has where the post is live.
    one('getBlog', id('blogId')),
  ],
  'integration.changed': (id) => [...all('listWebhooks'), one('getWebhook', id('integrationId'))],
  'schedule.changed': (id) => [...all('listSchedules', 'listBlogs', 'countBlogs'), one('getBlog', id('blogId'))],
  'generation.changed': (id, { blog_id: blogId, proposal_id: proposalId }) => [
    ...all('listGenerations'),
    one('getGeneration', id('generationId')),
    ...(blogId === null
      ? []
      : [...all('listBlogs', 'countBlogs'), one('getBlog', id('blogId')), one('listProposals', id('blogId'))]),
    ...(proposalId === null ? [] : [one('getProposal', id('proposalId'))]),
  ],
  'autopilot.changed': () => all('getAutopilot', 'listAutopilotTopics'),
};

/** Whether this page already has that version of a post. */
export type HasVersion = (blogId: string, version: number) => boolean;

/**
 * The queries to refetch after some events; `everything` when the stream may have missed some. An event that is not
 * known here is of a newer service: it is passed over. An editor's own saves come back as news that the page has.
 */
export function whatToRead(
  news: readonly News[],
  hasVersion: HasVersion = () => false,
): 'everything' | readonly QueryKey[] {
  const keys = new Map<string, QueryKey>();
  for (const { event, data } of news) {
    if (event === 'ready' && data['resumed'] !== true) return 'everything';
    const { blog_id: blogId, version } = data;
    if (event === 'blog.changed' && typeof version === 'number' && hasVersion(String(blogId), version)) continue;
    const path = (name: string) => ({ [name]: String(data[snake(name)]) });
    for (const key of RULES[event]?.(path, data) ?? []) keys.set(JSON.stringify(key), key);
  }
  return [...keys.values()];
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
