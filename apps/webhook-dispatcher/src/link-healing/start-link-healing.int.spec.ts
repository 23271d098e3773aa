import { eventually } from '@blog-content/testing';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { openDatabase } from '../database/open-database.ts';
import { MAX_PROJECTS_READ } from './link-view-store.ts';
import { startLinkHealing } from './start-link-healing.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
afterAll(() => queue[Symbol.asyncDispose]());

describe('projects whose links are to be read', () => {
  it('have turns: those of which some fail, or are large, keep none of the others waiting', async () => {
    const idOf = (number: number) => `00000000-0000-4000-8000-0000000000${number + 10}`;
    for (let number = 0; number <= MAX_PROJECTS_READ; number += 1) {
      await queue.addIntegration(idOf(number), { healLinks: true });
    }
    const last = idOf(MAX_PROJECTS_READ);
    await queue.query(`ALTER TABLE link_view ADD CONSTRAINT others_fail CHECK (project_id = '${last}')`);
    const database = openDatabase(queue.databaseUrl, 2, () => undefined);
    const { logger } = recordingLogger();
    const healing = startLinkHealing({ pollMs: 10, quietMs: 0, perHour: 1 }, { database, logger });
    try {
      const known = () => queue.query('SELECT project_id FROM link_view');
      await eventually(async () => expect(await known()).toEqual([{ project_id: last }]), { timeoutMs: 15_000 });
    } finally {
      await healing.stop();
      await database.$disconnect();
    }
  });
});
