import { eventually } from '@blog-content/testing';
import { testBlog, type TestBlog } from '../../test/events.ts';
import { AT_ONCE_MS, eachHealing, linkingTo, under, type Healing } from '../../test/healing.ts';
import type { TestQueue } from '../../test/queue.ts';
import { FAILED } from '../../test/attempts.ts';
import { BEFORE_ALL } from '../queue/claim-statements.ts';

let queue: TestQueue;
let on: Healing;
let projectId: string;
let receiver: string;
let linking: TestBlog;
let target: TestBlog;

eachHealing((ground) => ({ queue, on, projectId, receiver } = ground));
beforeEach(() => {
  linking = testBlog(projectId);
  target = testBlog(projectId);
});

const copy = () => on.copyOf(receiver, linking)?.content;
const LINK = '<p><a href="https://site.example/blog/target/">to target</a></p>';
const NO_LINK = '<p>to target</p>';
const healings = () =>
  queue.query<{ status: string; integration_id: string }>(`SELECT * FROM delivery WHERE kind = 'link_changed'`);
const healOnce = async () => {
  const { sent } = await on.heal(projectId);
  await on.deliverAll();
  return sent;
};

describe('a post that was sent to a receiver', () => {
  it('is sent again when a post that it links to is published, and again when that is taken down', async () => {
    await on.publish(linking.published(linkingTo('target')));
    expect(copy()).toBe(NO_LINK);
    await on.publish(target.published(under('target')));
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(LINK);
    await on.publish(target.unpublished());
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(NO_LINK);
    expect(await healOnce()).toBe(0);
  });

  it('is sent again when the target moves away from the slug, and when another post comes to it', async () => {
    await on.publish(target.published(under('target')));
    await on.publish(linking.published({ ...linkingTo('target'), published_link_targets: [TARGET] }));
    await on.publish(target.published(under('elsewhere')));
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(NO_LINK);
    await on.publish(testBlog(projectId).published(under('target')));
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(LINK);
  });

  it('is sent again when the title of a target changes, which is the text of some links', async () => {
    await on.publish(target.published(under('target', 'Old')));
    const content = '<p>See [INTERNAL:target].</p>';
    await on.publish(
      linking.published({ revision: { content }, published_link_targets: [{ slug: 'target', title: 'Old' }] }),
    );
    await on.publish(target.published(under('target', 'New & better')));
    await healOnce();
    expect(copy()).toBe('<p>See <a href="https://site.example/blog/target/">New &amp; better</a>.</p>');
  });

  it('is not sent again when the target is published again and leads where it led', async () => {
    await on.publish(target.published(under('target')));
    await healOnce();
    await on.publish(linking.published({ ...linkingTo('target'), published_link_targets: [TARGET] }));
    await on.publish(target.published(under('target')));
    expect(await healOnce()).toBe(0);
  });

  it('is sent again when it was published at the same time as its target, which it does not know of', async () => {
    await on.publish(target.published(under('target')), linking.published(linkingTo('target')));
    expect(copy()).toBe(NO_LINK);
    await healOnce();
    expect(copy()).toBe(LINK);
  });

  it('leads to the site that the project has now', async () => {
    await queue.projects.apply([
      {
        event: 'project.saved',
        project_id: projectId,
        project_event_number: 1,
        name: 'Site',
        site_url: 'https://new.example',
        members: [],
      },
    ]);
    await on.publish(linking.published(linkingTo('target')));
    await on.publish(target.published(under('target')));
    await healOnce();
    expect(copy()).toContain('href="https://new.example/blog/target/"');
  });

  it('goes as blog.updated and as a manual delivery of its publish, by its own kind in the log', async () => {
    const publish = linking.published({ ...linkingTo('target'), trigger: 'autopilot' });
    await on.publish(publish, target.published(under('target')));
    await on.heal(projectId);
    const claimed = await on.attempts.claimOne();
    expect(claimed).toMatchObject({
      kind: 'link_changed',
      trigger: 'manual',
      publishId: publish.data.publish_id,
      receiverHasBlog: true,
    });
    expect(await queue.log.list(projectId, { kind: 'link_changed' }, null, 10)).toHaveLength(1);
    await on.attempts.record(claimed, FAILED);
    // Once: as everything manual.
    expect(await healings()).toMatchObject([{ status: 'failed' }]);
    const told = (await queue.outbox()).filter((event) => event['redelivered_publish_id'] !== undefined);
    expect(told.map(({ event, ...rest }) => [event, rest['publish_id'], rest['redelivered_publish_id']])).toEqual([
      ['deliveries.planned', null, publish.data.publish_id],
      ['delivery.finished', null, publish.data.publish_id],
    ]);
  });
});

const TARGET = { slug: 'target', title: 'Title of target' };

describe('nothing is sent', () => {
  const change = async () => {
    await on.publish(linking.published(linkingTo('target')));
    await on.publish(target.published(under('target')));
  };

  it('to a receiver with healing off', async () => {
    const other = await queue.addIntegration(projectId);
    await change();
    await on.heal(projectId);
    expect(await healings()).toMatchObject([{ integration_id: receiver }]);
    expect((await healings()).map((one) => one.integration_id)).not.toContain(other);
  });

  it('of a project without healing, whose links are not stored', async () => {
    await queue.integrations.update(projectId, receiver, { healLinks: false });
    for (const { id } of await on.views.known(BEFORE_ALL)) while (!(await on.views.forgetNext(id)));
    await change();
    expect(await queue.query('SELECT FROM link_target')).toEqual([]);
    expect(await healOnce()).toBe(0);
  });

  it('to a receiver that was paused or deleted since', async () => {
    await change();
    await on.heal(projectId, { quietMs: 60_000 });
    expect(await queue.query('SELECT FROM link_healing')).toHaveLength(1);
    await queue.integrations.update(projectId, receiver, { active: false });
    expect(await queue.query('SELECT FROM link_healing')).toEqual([]);
    expect(await healOnce()).toBe(0);
    await queue.integrations.update(projectId, receiver, { active: true });
    await on.readAll();
    await on.publish(target.unpublished());
    await on.heal(projectId, { quietMs: 60_000 });
    await queue.integrations.remove(projectId, receiver);
    expect(await healOnce()).toBe(0);
    await queue.clearRetired();
    expect(await queue.query('SELECT FROM link_healing')).toEqual([]);
  });

  it('to a receiver that does not have the post', async () => {
    await on.attempts.plan(linking.published(linkingTo('target')));
    await on.attempts.record(await on.attempts.claimOne(), FAILED);
    await on.publish(target.published(under('target')));
    expect(await on.heal(projectId)).toEqual({ sent: 0, waiting: 0, dropped: 1 });
  });

  it('of a post that was unpublished since, so that no receiver gets it back', async () => {
    await change();
    await on.publish(linking.unpublished());
    expect(await healOnce()).toBe(0);
    expect(on.copyOf(receiver, linking)).toBeUndefined();
  });

  it('of a post that links to itself', async () => {
    await on.publish(linking.published({ revision: { slug: 'self', content: '<p>[INTERNAL:self]</p>' } }));
    await on.publish(
      linking.published({ revision: { slug: 'self', title: 'New', content: '<p>[INTERNAL:self]</p>' } }),
    );
    expect(await healOnce()).toBe(0);
  });
});

describe('changes that come one after the other', () => {
  it('make one delivery once a quiet time has passed since the last, and no sooner', async () => {
    await on.publish(linking.published(linkingTo('target', 'other')));
    await on.publish(target.published(under('target')));
    await on.publish(target.unpublished());
    await on.publish(testBlog(projectId).published(under('other')), target.published(under('target')));
    expect(await on.heal(projectId, { quietMs: 60_000 })).toMatchObject({ sent: 0 });
    await queue.query(`UPDATE link_healing SET changed_at = changed_at - interval '59 s'`);
    expect(await on.heal(projectId, { quietMs: 60_000 })).toMatchObject({ sent: 0 });
    await queue.query(`UPDATE link_healing SET changed_at = changed_at - interval '2 s'`);
    expect(await on.heal(projectId, { quietMs: 60_000 })).toMatchObject({ sent: 1 });
    expect(await on.heal(projectId)).toMatchObject({ sent: 0 });
  });

  it('delay it ten times at most', async () => {
    await on.publish(linking.published(linkingTo('target')));
    const changedAt = async () =>
      (await queue.query<{ changed_at: Date }>('SELECT * FROM link_healing'))[0]?.changed_at;
    const change = async (count: number) => {
      await on.publish(count % 2 === 0 ? target.published(under('target')) : target.unpublished());
      await on.heal(projectId, { quietMs: 60_000 });
      return changedAt();
    };
    let before = await change(0);
    for (let count = 1; count < 10; count += 1) {
      const after = await change(count);
      expect(after?.getTime()).toBeGreaterThan(before?.getTime() ?? Infinity);
      before = after;
    }
    expect(await change(10)).toEqual(before);
  });

  it('are limited per receiver and hour; the rest is sent later', async () => {
    const others = Array.from({ length: 3 }, () => testBlog(projectId));
    await on.publish(...others.map((blog) => blog.published(linkingTo('target'))));
    await on.publish(target.published(under('target')));
    expect(await on.heal(projectId, { perHour: 2 })).toMatchObject({ sent: 2 });
    await on.deliverAll();
    expect(await on.heal(projectId, { perHour: 2 })).toMatchObject({ sent: 0 });
    await queue.query(`UPDATE delivery SET created_at = created_at - interval '1 hour'`);
    expect(await on.heal(projectId, { perHour: 2 })).toMatchObject({ sent: 1 });
  });

  it('have no more than 32 deliveries wait at a receiver, so that a publish does not queue behind more', async () => {
    const others = Array.from({ length: 40 }, () => testBlog(projectId));
    await on.publish(...others.map((blog) => blog.published(linkingTo('target'))));
    await on.publish(target.published(under('target')));
    expect(await on.heal(projectId)).toMatchObject({ sent: 32 });
    expect(await on.heal(projectId)).toMatchObject({ sent: 0 });
    await on.deliverAll();
    expect(await on.heal(projectId)).toMatchObject({ sent: 8 });
  });

  it('are processed in parts where many posts link to one slug', async () => {
    const others = Array.from({ length: 150 }, () => testBlog(projectId));
    for (const blog of others) await on.attempts.plan(blog.published(linkingTo('target')));
    await on.deliverAll();
    await on.publish(target.published(under('target')));
    await on.heal(projectId, { quietMs: 60_000 });
    expect(await queue.query('SELECT FROM link_healing')).toHaveLength(100);
    expect(await queue.query('SELECT FROM link_change')).toHaveLength(1);
    // It changes again on the way: all of them are to know.
    await on.publish(target.unpublished());
    for (let round = 0; round < 3; round += 1) await on.heal(projectId, { quietMs: 60_000 });
    expect(await queue.query('SELECT FROM link_healing')).toHaveLength(150);
    expect(await queue.query('SELECT FROM link_change')).toEqual([]);
  });
});

describe('the order of a post’s deliveries', () => {
  it('is kept: the attempt under way ends first, and the post is sent again after it', async () => {
    await on.publish(linking.published(linkingTo('target')));
    await on.attempts.plan(linking.published(linkingTo('target')));
    const underWay = await on.attempts.claimOne();
    await on.attempts.plan(target.published(under('target')));
    expect(await on.heal(projectId)).toEqual({ sent: 0, waiting: 1, dropped: 0 });
    await on.attempts.record(underWay, { kind: 'succeeded' });
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(LINK);
  });

  it('lets a newer event replace a waiting link update, so that nothing older comes after it', async () => {
    await on.publish(linking.published(linkingTo('target')));
    await on.publish(target.published(under('target')));
    await on.heal(projectId);
    await on.publish(linking.published({ revision: { content: '<p>New.</p>' } }));
    expect(await healings()).toMatchObject([{ status: 'superseded' }]);
    expect(copy()).toBe('<p>New.</p>');
    expect(await healOnce()).toBe(0);
  });
});

describe('processes that heal at the same time, or die', () => {
  it('send a post once', async () => {
    await on.publish(linking.published(linkingTo('target')));
    await on.publish(target.published(under('target')));
    const results = await Promise.all(Array.from({ length: 4 }, () => on.heal(projectId)));
    expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
    expect(await healings()).toHaveLength(1);
  });

  it('lose nothing when one is killed before it has committed, and send nothing twice', async () => {
    await on.publish(linking.published(linkingTo('target')));
    await on.publish(target.published(under('target')));
    await queue.query('BEGIN');
    await queue.query('SELECT lock_blogs($1)', [[linking.id]]);
    const killed = on.heal(projectId).catch((error: unknown) => error);
    const [waiting] = await untilSomebodyWaits();
    await queue.query('SELECT pg_terminate_backend($1)', [waiting?.pid]);
    expect(await killed).toBeInstanceOf(Error);
    // It says so before it releases the project.
    await eventually(async () =>
      expect(await queue.query('SELECT FROM pg_stat_activity WHERE pid = $1', [waiting?.pid])).toEqual([]),
    );
    await queue.query('COMMIT');
    expect(await healings()).toEqual([]);
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(LINK);
  });

  it('send a post again when the first outcome is unknown', async () => {
    await on.publish(linking.published(linkingTo('target')));
    await on.publish(target.published(under('target')));
    await on.heal(projectId);
    const inFlight = await on.attempts.claimOne();
    await on.publish(target.unpublished());
    await on.attempts.record(inFlight, { kind: 'failed', reason: 'interrupted', detail: 'The service ended.' });
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(NO_LINK);
    expect(await healings()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
  });

  async function untilSomebodyWaits(): Promise<{ pid: number }[]> {
    for (;;) {
      const found = await queue.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      if (found.length > 0) return found;
    }
  }
});

describe('what was published before links were healed', () => {
  it('is read first, and is no change where its links still lead to what they led to', async () => {
    await queue.integrations.update(projectId, receiver, { healLinks: false });
    const published_link_targets = [TARGET];
    await on.publish(target.published(under('target')));
    await on.publish(linking.published({ ...linkingTo('target', 'later'), published_link_targets }));
    await queue.integrations.update(projectId, receiver, { healLinks: true });
    expect(await on.views.toRead(600_000)).toEqual([projectId]);
    await on.readAll();
    expect(await healOnce()).toBe(0);
    await on.publish(testBlog(projectId).published(under('later')));
    expect(await healOnce()).toBe(1);
    expect(copy()).toContain('href="https://site.example/blog/later/"');
    // With all links as they are now.
    expect(copy()).toContain('href="https://site.example/blog/target/"');
  });

  it('is found where planning did not know of the integration, and then is a change', async () => {
    await on.publish(target.published(under('target')), linking.published(linkingTo('target')));
    await healOnce();
    await queue.query('UPDATE integration SET heal_links = false');
    await on.publish(target.unpublished());
    await queue.query(
      `UPDATE integration SET heal_links = true; UPDATE link_view SET checked_at = now() - interval '1 h'`,
    );
    await on.readAll();
    expect(await healOnce()).toBe(1);
    expect(copy()).toBe(NO_LINK);
  });
});

describe('a redelivery', () => {
  it('has today’s links, too', async () => {
    await on.publish(linking.published(linkingTo('target')));
    const [first] = await queue.query<{ id: string }>('SELECT id FROM delivery');
    await on.publish(target.published(under('target')));
    await queue.redeliveries.redeliver(projectId, first?.id ?? '');
    await on.deliverAll();
    expect(copy()).toBe(LINK);
  });
});

it('a mark of a receiver that was paused while it was made does not make its project due', async () => {
  const paused = await queue.addIntegration(projectId, { healLinks: true, active: false });
  await on.readAll();
  const mark = (of: string) =>
    queue.query('INSERT INTO link_healing (integration_id, blog_id, project_id) VALUES ($1, $2, $3)', [
      of,
      linking.id,
      projectId,
    ]);
  const due = () => on.healings.dueProjects({ quietMs: AT_ONCE_MS, perHour: 1 });
  await mark(paused);
  expect(await due()).toEqual([]);
  await mark(receiver);
  expect(await due()).toEqual([projectId]);
});
