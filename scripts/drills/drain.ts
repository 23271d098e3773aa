import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  acceptedDeliveries,
  DEPLOYMENTS,
  inNamespace,
  kubectl,
  requireCluster,
  sleep,
  startLoad,
} from './parts/cluster.ts';
import { checkLoad } from './parts/check-load.ts';
import type { Drill } from './parts/drill.ts';

const LOAD_S = 120;
const RETRY_MS = 1_000;

export const drill: Drill = async (context) => {
  const { folder, say, check } = context;
  await requireCluster();
  const since = new Date().toISOString();
  const load = await startLoad(LOAD_S, context);

  /** Evicts a pod, as often as the disruption budget refuses it. @returns how often it did */
  const evict = async (pod: string): Promise<number> => {
    const file = join(folder, `${pod}.json`);
    const metadata = { name: pod, namespace: 'blog-content' };
    writeFileSync(file, JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata }));
    const path = `/api/v1/namespaces/blog-content/pods/${pod}/eviction`;
    for (let refused = 0; ; refused += 1) {
      try {
        await kubectl('create', '--raw', path, '--filename', file);
        return refused;
      } catch (error) {
        if (!String((error as { stderr?: string }).stderr).includes('disruption budget')) throw error;
        await sleep(RETRY_MS);
      }
    }
  };

  for (const name of DEPLOYMENTS) {
    const pods = await inNamespace('get', 'pods', '--selector', `app.kubernetes.io/name=${name}`, '--output', 'name');
    const names = pods.split('\n').map((pod) => pod.replace('pod/', ''));
    // Together: the budget lets one go at a time.
    const refusals = await Promise.all(names.map(evict));
    const times = refusals.reduce((sum, refused) => sum + refused, 0);
    check(`${name}: ${names.length} pods evicted, one at a time (${times} evictions refused before)`, times > 0);
    await inNamespace('rollout', 'status', `deployment/${name}`, '--timeout=300s');
    say(`${name}: ready again`);
  }
  checkLoad(await load.finished(), await acceptedDeliveries(since), context);
};
