import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { projectSaved, testBlog } from '../../test/events.ts';
import { AT_ONCE_MS, healingOn, linkingTo, under } from '../../test/healing.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { type LogLine, recordingLogger } from '../../test/recording-logger.ts';
import { openDatabase } from '../database/open-database.ts';
import { MAX_ACCOUNTS_A_ROUND } from './project-turns-store.ts';
import { type LinkHealingSettings, startLinkHealing } from './start-link-healing.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(async () => {
  await queue.clear();
});
afterAll(() => queue[Symbol.asyncDispose]());

const WITHIN = { timeoutMs: 15_000 };

/** Runs while links are healed; it gets what is logged. */
async function whileHealing(
  settings: Omit<LinkHealingSettings, 'pollMs' | 'readEveryMs'>,
  run: (lines: readonly LogLine[]) => Promise<unknown>,
) {
  const database = openDatabase(queue.databaseUrl, 3, () => undefined);
  const { logger, lines } = recordingLogger();
  const healing = startLinkHealing({ pollMs: 10, readEveryMs: 10, ...settings }, { database, logger });
  try {
    await run(lines);
  } finally {
    await healing.stop();
    await database.$disconnect();
  }
}

const projectIdOf = (number: number) => `00000000-0000-4000-8000-0000000000${number + 10}`;
const readProjects = async () => {
  const rows = await queue.query<{ id: string }>('SELECT project_id AS id FROM link_view ORDER BY checked_at');
  return rows.map(({ id }) => id);
};
const healedProjects = async () => {
  const rows = await queue.query<{ id: string }>(
    `SELECT project_id AS id FROM delivery WHERE kind = 'link_changed' ORDER BY position`,
  );
  return rows.map(({ id }) => id);
};
/** A project with a post at a receiver that is to be sent there again. */
async function addProjectToHeal(projectId: string, accountId: string) {
  await queue.projects.apply([projectSaved(projectId, [accountId]).data]);
  await queue.addIntegration(projectId, { healLinks: true });
  const linking = testBlog(projectId);
  await using on = healingOn(queue);
  await on.publish(linking.published(linkingTo('target')));
  await on.publish(testBlog(projectId).published(under('target')));
  return linking;
}

describe('projects whose links are to be read', () => {
  it('take turns, so that failing or large ones keep none of the others waiting', async () => {
    for (let number = 0; number <= MAX_ACCOUNTS_A_ROUND; number += 1) {
      await queue.addIntegration(projectIdOf(number), { healLinks: true });
    }
    const last = projectIdOf(MAX_ACCOUNTS_A_ROUND);
    await queue.query(`ALTER TABLE link_view ADD CONSTRAINT others_fail CHECK (project_id = '${last}')`);
    await whileHealing({ quietMs: 0, perHour: 1 }, () =>
      eventually(async () => expect(await readProjects()).toEqual([last]), WITHIN),
    );
    await queue.query('ALTER TABLE link_view DROP CONSTRAINT others_fail');
  });
});

it('posts of a suspended project are healed once it is resumed, others meanwhile', async () => {
  const [suspended, other] = [projectIdOf(0), projectIdOf(1)];
  for (const id of [suspended, other]) await addProjectToHeal(id, randomUUID());
  await queue.query(`UPDATE project SET suspended = 'writes' WHERE id = $1`, [suspended]);
  await whileHealing({ quietMs: AT_ONCE_MS, perHour: 1 }, async () => {
    await eventually(async () => expect(await healedProjects()).toEqual([other]), WITHIN);
    await queue.query('UPDATE project SET suspended = NULL WHERE id = $1', [suspended]);
    await eventually(async () => expect(await healedProjects()).toEqual([other, suspended]), WITHIN);
  });
});

describe('accounts', () => {
  it('take turns: a project is read and healed after at most one of another account, however many those are', async () => {
    const [many, few] = [randomUUID(), randomUUID()];
    const projects = [0, 1, 2, 3, 4].map(projectIdOf);
    for (const [index, projectId] of projects.entries()) await addProjectToHeal(projectId, index < 4 ? many : few);
    // None is known yet: all of them are to be read, and then to be healed.
    expect(await readProjects()).toEqual([]);
    await whileHealing({ quietMs: 3_600_000, perHour: 1 }, () =>
      eventually(async () => expect(await readProjects()).toHaveLength(5), WITHIN),
    );
    expect((await readProjects()).indexOf(projectIdOf(4))).toBeLessThanOrEqual(1);
    await whileHealing({ quietMs: AT_ONCE_MS, perHour: 1 }, () =>
      eventually(async () => expect(await healedProjects()).toHaveLength(5), WITHIN),
    );
    expect((await healedProjects()).indexOf(projectIdOf(4))).toBeLessThanOrEqual(1);
  });

  it('have their posts healed while the links of another’s project are still being read', async () => {
    const [read, toRead] = [projectIdOf(1), projectIdOf(0)];
    await addProjectToHeal(read, randomUUID());
    await queue.query('INSERT INTO link_view (project_id) VALUES ($1)', [read]);
    const unread = await addProjectToHeal(toRead, randomUUID());
    await queue.query('DELETE FROM link_target WHERE project_id = $1', [toRead]);
    await queue.query('BEGIN');
    await queue.query('SELECT lock_blogs($1)', [[unread.id]]);
    await whileHealing({ quietMs: AT_ONCE_MS, perHour: 1 }, async (lines) => {
      try {
        await eventually(async () => expect(await healedProjects()).toEqual([read]), WITHIN);
        // It was not given up, either.
        expect(lines.map(({ event }) => event)).toEqual(['link_healing.planned']);
      } finally {
        await queue.query('COMMIT');
      }
    });
  });
});
