import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '@blog-content/local-services';
import { eventually } from '@blog-content/testing';
import { createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const ROTATIONS = 12;
/** Of these, one in three stops the replica that does not do the rotating. */
const STOPPED_EACH = 3;
const READERS = 6;

describe('two replicas of the read service under load, one stopped now and then, while keys are rotated', () => {
  let stack: Stack;
  let project: TestProject;
  let replicas: ServiceProcess[];
  let key: string;
  /** When the call that replaced a key returned. */
  const replacedAt = new Map<string, number>();
  const late: string[] = [];
  const answered = new Map<number, number>();
  let requestsToStopped = 0;

  beforeAll(async () => {
    stack = await startStack();
    replicas = [stack.local.services['public-read-service'], await stack.local.startReplica('public-read-service')];
    project = await createProject(stack.owner, { siteUrl: null });
    key = project.publicKey;
    await rotateUnderLoad();
  });

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
  });

  it('gave not one 200 to a request with an old key that was sent after its rotation had returned', () => {
    expect(late).toEqual([]);
  });

  it('answered from both replicas all the time', () => {
    expect(answered.get(200)).toBeGreaterThan(100);
    expect(requestsToStopped).toBeGreaterThan(0);
    expect([...answered.keys()].filter((status) => ![200, 401].includes(status))).toEqual([]);
  });

  it('serves the newest key from both', async () => {
    for (const replica of replicas) {
      await eventually(async () => expect((await ask(replica, key)).status).toBe(200));
    }
  });

  function ask(replica: ServiceProcess, presented: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${replica.port}/blog/api/v1/public/blogs`, {
      headers: { authorization: `Bearer ${presented}` },
    });
  }

  async function read(replica: ServiceProcess, presented: string): Promise<void> {
    const sentAt = performance.now();
    const { status } = await ask(replica, presented);
    answered.set(status, (answered.get(status) ?? 0) + 1);
    const replaced = replacedAt.get(presented);
    if (status === 200 && replaced !== undefined && sentAt > replaced) {
      late.push(`200 with a key that was replaced ${Math.round(sentAt - replaced)} ms before`);
    }
  }

  async function rotateUnderLoad(): Promise<void> {
    let isOver = false;
    // Some readers are behind: they go on with the key before.
    let previous = key;
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      while (!isOver) await read(replicas[reader % 2]!, reader < READERS / 2 ? key : previous);
    });
    for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
      await sleep(100);
      const stopped = rotation % STOPPED_EACH === 0 ? replicas[1]!.pid : undefined;
      if (stopped !== undefined) process.kill(stopped, 'SIGSTOP');
      try {
        // The gateway knows the first replica only.
        const rotated = await stack.owner.post<{ public_key: string }>(`projects/${project.id}/public-key/rotate`);
        replacedAt.set(key, performance.now());
        previous = key;
        key = rotated.public_key;
        if (stopped !== undefined) {
          // Sent to a stopped process, these are the first that it sees when it goes on.
          const waiting = Array.from({ length: 20 }, () => read(replicas[1]!, previous));
          requestsToStopped += waiting.length;
          process.kill(stopped, 'SIGCONT');
          await Promise.all(waiting);
        }
      } finally {
        if (stopped !== undefined) process.kill(stopped, 'SIGCONT');
      }
    }
    await sleep(100);
    isOver = true;
    await Promise.all(readers);
  }
});
