import { connectionsDuringUpdate } from '@blog-content/postgres';
import { forEachService } from '@blog-content/payload-schemas';
import {
  acceptedDeliveries,
  countConnections,
  DEPLOYMENTS,
  inNamespace,
  requireCluster,
  startLoad,
} from './parts/cluster.ts';
import { checkLoad } from './parts/check-load.ts';
import type { Drill } from './parts/drill.ts';

const LOAD_S = 120;
const REPLICAS = 2;

export const drill: Drill = async (context) => {
  const { say, check } = context;
  await requireCluster();
  const since = new Date().toISOString();
  const load = await startLoad(LOAD_S, context);
  const connections = countConnections();
  const startedAt = performance.now();
  await inNamespace('rollout', 'restart', ...DEPLOYMENTS.map((name) => `deployment/${name}`));
  for (const name of DEPLOYMENTS) {
    await inNamespace('rollout', 'status', `deployment/${name}`, '--timeout=300s');
    say(`${name}: all pods are new after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  }
  checkLoad(await load.finished(), await acceptedDeliveries(since), context);
  const most = await connections.stop();
  const budget = connectionsDuringUpdate(forEachService(() => REPLICAS));
  check(`at most ${most} connections to PostgreSQL, of ${budget}`, most > 0 && most <= budget);
};
