import { randomUUIDv7 } from 'node:crypto';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockBlogs } from '../queue/queue-transaction-store.ts';
import { judgeHealing } from './judge-healing.ts';
import { HEALS, markBound, markNaming, markStale, markTranslated } from './link-statements.ts';
import { planRepeats, repeatWithLinksOfToday } from './repeat-event-store.ts';
import { oneOfEachAccount } from './project-turns-store.ts';

/** Most deliveries that one call plans for a project. */
const MAX_PLANNED = 100;
/** Most deliveries for changed links that wait at one receiver: what is published does not queue behind more. */
const MAX_WAITING_HEALINGS = 32;

export interface HealingRules {
  /** How long no change may have come to what a post links to, in milliseconds. */
  readonly quietMs: number;
  /** Most deliveries to one receiver within an hour. */
  readonly perHour: number;
}

/** How many were sent, put off, and found to need nothing. */
export type HealingResult = Readonly<Record<'sent' | 'waiting' | 'dropped', number>>;

/** Sends posts again whose links have changed. */
export interface HealingStore {
  /** Projects with something to do, one of each account. */
  dueProjects(rules: HealingRules): Promise<string[]>;
  /**
   * Marks the project's posts that link to what has changed, and plans deliveries of those whose time has come, a
   * bounded number of both. Nothing when another process is healing the project.
   */
  heal(projectId: string, rules: HealingRules): Promise<HealingResult>;
}

const NOTHING: HealingResult = { sent: 0, waiting: 0, dropped: 0 };
const heals = Prisma.raw(HEALS);

export function createHealingStore(database: Database): HealingStore {
  return {
    async dueProjects({ quietMs }) {
      const rows = await database.$queryRaw<{ id: string }[]>(
        oneOfEachAccount(Prisma.sql`
      SELECT v.project_id::text AS id, coalesce(p.account_id, v.project_id)::text AS account
      FROM link_view v LEFT JOIN project p ON p.id = v.project_id
      WHERE p.suspended IS NULL AND (EXISTS (SELECT FROM link_change c WHERE c.project_id = v.project_id)
        OR EXISTS (SELECT FROM link_target_change c WHERE c.project_id = v.project_id)
        OR EXISTS (SELECT FROM link_translation_change c WHERE c.project_id = v.project_id)
        OR EXISTS (SELECT FROM link_recheck r JOIN integration i ON i.id = r.integration_id AND ${heals}
          WHERE r.project_id = v.project_id)
        OR EXISTS (SELECT FROM link_healing h JOIN integration i ON i.id = h.integration_id AND ${heals}
          WHERE h.project_id = v.project_id AND ${isDue(quietMs)}))`),
      );
      return rows.map(({ id }) => id);
    },

    async heal(projectId, rules) {
      // Each in its own transaction: planning may wait for a change, and must not while this waits for a blog.
      for (const mark of [markNaming, markBound, markTranslated, markStale]) {
        const isOurs = await database.$transaction(async (tx) => {
          if (!(await lockProject(tx, projectId))) return false;
          await mark.runIn(tx, { projectId });
          return true;
        });
        if (!isOurs) return NOTHING;
      }
      return database.$transaction(async (tx) =>
        (await lockProject(tx, projectId)) ? planDue(tx, projectId, rules) : NOTHING,
      );
    },
  };
}

const isDue = (quietMs: number) => Prisma.sql`h.changed_at <= now() - ${quietMs} * interval '1 millisecond'`;

/** One process at a time counts what a receiver has had. */
async function lockProject(tx: Prisma.TransactionClient, projectId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`link-healing:${projectId}`}, 0)) AS taken`;
  return row?.taken === true;
}

interface Mark {
  readonly integration_id: string;
  readonly blog_id: string;
}

/** Plans deliveries in the caller's transaction. */
async function planDue(
  tx: Prisma.TransactionClient,
  projectId: string,
  { quietMs, perHour }: HealingRules,
): Promise<HealingResult> {
  const due = await tx.$queryRaw<Mark[]>`
    SELECT h.integration_id::text, h.blog_id::text FROM (
      SELECT i.id, least(
        ${perHour}::bigint - (SELECT count(*) FROM delivery d
          WHERE d.integration_id = i.id AND d.kind = 'link_changed' AND d.created_at > now() - interval '1 hour'),
        ${MAX_WAITING_HEALINGS}::bigint - (SELECT count(*) FROM delivery_queue q
          WHERE q.integration_id = i.id AND q.kind = 'link_changed')) AS room
      FROM integration i WHERE i.project_id = ${projectId}::uuid AND ${heals}
    ) receiver CROSS JOIN LATERAL (
      SELECT h.integration_id, h.blog_id, h.changed_at FROM link_healing h
      WHERE h.integration_id = receiver.id AND ${isDue(quietMs)}
      ORDER BY h.changed_at LIMIT greatest(0, receiver.room)
    ) h
    ORDER BY h.changed_at, h.blog_id LIMIT ${MAX_PLANNED}`;
  if (due.length === 0) return NOTHING;
  // From here on nothing else is planned for these blogs, and no receiver is taken away.
  const blogIds = due.map(({ blog_id: blogId }) => blogId);
  await lockBlogs(tx, blogIds);
  const receivers = await lockReceivers(
    tx,
    due.map(({ integration_id: id }) => id),
  );
  // Before anything is read, so that later changes mark the blog again.
  const marks = await takeMarks(tx, due);
  const states = await loadStates(tx, marks);
  const byVerdict = Object.groupBy(states, (state) =>
    receivers.has(state.integration_id) ? judgeHealing(state) : 'drop',
  );
  const sent = await send(tx, byVerdict.send ?? [], receivers);
  await putOff(tx, byVerdict.wait ?? []);
  return { sent, waiting: byVerdict.wait?.length ?? 0, dropped: byVerdict.drop?.length ?? 0 };
}

async function lockReceivers(
  tx: Prisma.TransactionClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; shown_url: string }[]>`
    SELECT i.id::text, i.shown_url FROM integration i WHERE i.id = ANY (${[...ids]}::uuid[]) AND ${heals}
    ORDER BY i.position FOR SHARE`;
  return new Map(rows.map(({ id, shown_url: url }) => [id, url]));
}

function takeMarks(tx: Prisma.TransactionClient, due: readonly Mark[]): Promise<Mark[]> {
  return tx.$queryRaw<Mark[]>`
    DELETE FROM link_healing h USING ${given(due)}
    WHERE h.integration_id = given.integration_id AND h.blog_id = given.blog_id
    RETURNING h.integration_id::text, h.blog_id::text`;
}

const given = (marks: readonly Mark[]) => Prisma.sql`unnest(
  ${marks.map(({ integration_id: id }) => id)}::uuid[], ${marks.map(({ blog_id: id }) => id)}::uuid[]
) AS given (integration_id, blog_id)`;

interface State extends Mark {
  readonly isThere: boolean;
  readonly isUnderWay: boolean;
  readonly newest: VisibilityEvent['event'] | null;
  readonly project_id: string;
  readonly number: number;
  readonly publish_id: string | null;
  readonly traceparent: string | null;
}

function loadStates(tx: Prisma.TransactionClient, marks: readonly Mark[]): Promise<State[]> {
  return tx.$queryRaw<State[]>`
    SELECT given.integration_id::text, given.blog_id::text,
      coalesce((SELECT r.published FROM receiver_blog r
        WHERE r.integration_id = given.integration_id AND r.blog_id = given.blog_id), false) AS "isThere",
      EXISTS (SELECT FROM delivery_queue q
        WHERE q.blog_id = given.blog_id AND q.integration_id = given.integration_id) AS "isUnderWay",
      n.data ->> 'event' AS newest, n.project_id::text, n.blog_event_number AS number,
      n.data ->> 'publish_id' AS publish_id, n.traceparent
    FROM ${given(marks)} LEFT JOIN lifecycle_event n ON n.blog_id = given.blog_id AND n.newest
    ORDER BY given.blog_id`;
}

/** Plans these deliveries: of the blogs as they are published now, with the links of now. */
async function send(
  tx: Prisma.TransactionClient,
  states: readonly State[],
  receivers: ReadonlyMap<string, string>,
): Promise<number> {
  if (states.length === 0) return 0;
  const events = await repeatWithLinksOfToday(
    tx,
    states.map(({ blog_id: id }) => id),
  );
  const planned = states.flatMap(({ blog_id, integration_id, project_id, number, publish_id, traceparent }) => {
    const eventId = events.get(blog_id);
    const url = receivers.get(integration_id);
    if (eventId === undefined || url === undefined) return [];
    const ids = { blog_id, integration_id, project_id, publish_id, traceparent };
    const repeats = { lifecycle_event_id: eventId, blog_event_number: number, event: 'blog.published' } as const;
    return [{ ...ids, ...repeats, id: randomUUIDv7(), shown_url: url }];
  });
  await planRepeats(tx, 'link_changed', planned);
  return planned.length;
}

/** Looks at these again after a while. */
async function putOff(tx: Prisma.TransactionClient, states: readonly State[]): Promise<void> {
  if (states.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO link_healing (integration_id, blog_id, project_id)
    SELECT given.integration_id, given.blog_id, n.project_id
    FROM ${given(states)} JOIN lifecycle_event n ON n.blog_id = given.blog_id AND n.newest
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING`;
}
