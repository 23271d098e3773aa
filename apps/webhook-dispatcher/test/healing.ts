import { randomUUID } from 'node:crypto';
import type { BlogSlugsChangedEvent } from '@blog-content/payload-schemas';
import { openDatabase } from '../src/database/open-database.ts';
import { createHealingStore, type HealingRules, type HealingResult } from '../src/link-healing/healing-store.ts';
import { createLinkViewStore } from '../src/link-healing/link-view-store.ts';
import { buildPayload } from '../src/payload/build-payload.ts';
import { attemptsOn, SUCCEEDED } from './attempts.ts';
import type { TestBlog, TestEvent } from './events.ts';
import { openTestQueue, type TestQueue } from './queue.ts';

/** By this quiet time everything is due: a change is kept to the millisecond, rounded, and may be of the next one. */
export const AT_ONCE_MS = -1;

const CHANGES_LEFT = `SELECT FROM link_change UNION ALL SELECT FROM link_target_change
  UNION ALL SELECT FROM link_translation_change`;

/** What a receiver has of a post. */
interface Copy {
  readonly content: string;
  readonly title: string;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** Link healing on a queue without sending anything: what is claimed is rendered, and counts as taken. */
export function healingOn(queue: TestQueue) {
  const database = openDatabase(queue.databaseUrl, 5, () => undefined);
  const views = createLinkViewStore(database);
  const healings = createHealingStore(database);
  const attempts = attemptsOn(() => queue);
  /** By integration, then by blog. */
  const copies = new Map<string, Map<string, Copy>>();

  return {
    views,
    healings,
    attempts,
    copyOf: (integrationId: string, blog: TestBlog): Copy | undefined => copies.get(integrationId)?.get(blog.id),
    /** Reads all projects whose links are to be known. */
    async readAll() {
      for (;;) {
        const projectIds = await views.toRead(600_000);
        if (projectIds.length === 0) return;
        for (const id of projectIds) while (!(await views.readNext(id)));
      }
    },
    /** Runs healing for the project; everything is due now and unbounded, unless told otherwise. */
    heal: (projectId: string, rules: Partial<HealingRules> = {}): Promise<HealingResult> =>
      healings.heal(projectId, { quietMs: AT_ONCE_MS, perHour: 1_000, ...rules }),
    /** Heals until nothing is left to do, and gives how often a post was sent again. */
    async healAll(projectId: string): Promise<number> {
      let sent = 0;
      for (;;) {
        const result = await this.heal(projectId);
        await this.deliverAll();
        sent += result.sent;
        if (result.sent === 0 && (await queue.query(CHANGES_LEFT)).length === 0) return sent;
      }
    },
    /** Delivers all that is due, and gives how many that were. */
    async deliverAll(): Promise<number> {
      let count = 0;
      for (;;) {
        const claimed = await attempts.claim();
        if (claimed.length === 0) return count;
        count += claimed.length;
        for (const one of claimed) {
          const ofIntegration = copies.get(one.integrationId) ?? new Map<string, Copy>();
          copies.set(one.integrationId, ofIntegration);
          const body = buildPayload(one.lifecycleEvent, { ...one, fields: ['data'] });
          if ('content' in body) ofIntegration.set(one.blogId, body);
          else ofIntegration.delete(one.blogId);
          await attempts.record(one, SUCCEEDED);
        }
      }
    },
    /** Plans events and delivers them. */
    async publish(...events: Parameters<TestQueue['plans']['plan']>[0]) {
      await attempts.plan(...events);
      await this.deliverAll();
    },
    /** Takes changes of slugs, which no receiver gets. */
    changeSlugs: (...events: readonly TestEvent<BlogSlugsChangedEvent>[]) =>
      queue.plans.keepSlugs(events.map(({ data }) => data)),
    [Symbol.asyncDispose]: () => database.$disconnect(),
  };
}

export type Healing = ReturnType<typeof healingOn>;

interface HealingGround {
  readonly queue: TestQueue;
  readonly on: Healing;
  readonly projectId: string;
  /** An integration that takes changes of links. */
  readonly receiver: string;
}

/** Gives each test of a file an empty queue, and a project with one receiver. @param begin gets them before each test. */
export function eachHealing(begin: (ground: HealingGround) => void): void {
  const resources = new AsyncDisposableStack();
  let queue: TestQueue;
  let on: Healing;
  beforeAll(async () => {
    queue = resources.use(await openTestQueue());
    on = resources.use(healingOn(queue));
  });
  beforeEach(async () => {
    await queue.clear();
    const projectId = randomUUID();
    const receiver = await queue.addIntegration(projectId, { healLinks: true });
    await on.readAll();
    begin({ queue, on, projectId, receiver });
  });
  afterAll(() => resources.disposeAsync());
}

/** A post that links to slugs, with those of them that are published. */
export function linkingTo(...slugs: readonly string[]) {
  const content = slugs.map((slug) => `<p><a href="[INTERNAL:${slug}]">to ${slug}</a></p>`).join('');
  return { revision: { content, slug: 'linking', title: 'Linking' } };
}

/** A published post under a slug. */
export const under = (slug: string, title = `Title of ${slug}`) => ({ revision: { slug, title, content: '<p>x</p>' } });
