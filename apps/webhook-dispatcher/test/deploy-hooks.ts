import { eventually, type Receiver, startReceiver } from '@blog-content/testing';
import { testBlog } from './events.ts';
import {
  type DeployHookGround,
  type GivenHook,
  openDeployHookGround,
  type Replica,
  type ReplicaOptions,
} from './grounds/deploy-hook-ground.ts';

/** Deploy hooks on a database of the file's own, and for each test a receiver and no hook yet. */
export function prepareDeployHooks() {
  let ground: DeployHookGround;
  let receiver: Receiver;
  const replicas: Replica[] = [];
  beforeAll(async () => {
    ground = await openDeployHookGround();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop(0)));
    await receiver.close();
    // What a test leaves open is not the next one's.
    await ground.query('TRUNCATE deploy_hook, deploy_hook_change, deploy_hook_attempt, deploy_hook_request');
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
  });

  const latest = async (projectId: string) => (await ground.history(projectId))[0];
  return {
    get ground() {
      return ground;
    },
    get receiver() {
      return receiver;
    },
    /** Starts a replica, which is stopped after the test. */
    start: (options?: ReplicaOptions): Replica => {
      const replica = ground.start(options);
      replicas.push(replica);
      return replica;
    },
    addProject: (hook: GivenHook = {}) => ground.addProject({ url: receiver.url, ...hook }),
    /** A publish that the public API serves, due `quietMs` later. */
    change: async (projectId: string, quietMs = 0) => {
      const event = testBlog(projectId).published();
      await ground.take(event);
      await ground.serve(event, { quietMs, maxWaitMs: 3_600_000 });
      return event;
    },
    latest,
    /** The latest request once it has this status. */
    becomes: (projectId: string, status: string) =>
      eventually(async () => {
        const request = await latest(projectId);
        expect(request?.status).toBe(status);
        return request;
      }),
  };
}
