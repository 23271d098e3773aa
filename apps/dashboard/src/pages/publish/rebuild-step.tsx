import { useQuery } from '@tanstack/react-query';
import { listDeployHookRequestsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { DeployHookRequestLog, Publish } from '../../generated/types.gen.ts';
import { useDeployHook } from '../../parts/deliveries/use-deploy-hook.ts';
import { publishSheet as text } from '../../strings/writing/publish-sheet.ts';
import { PublishStep, type StepState } from './publish-step.tsx';

const LOOK_EVERY_MS = 2_000;
const LOOKED_AT = 20;
/** A build starts ten seconds or so after the change; one that has not after this is not to come. */
const STARTS_WITHIN_MS = 120_000;

const STATES: Readonly<Record<DeployHookRequestLog['status'], StepState>> = {
  waiting: 'waiting',
  in_flight: 'waiting',
  succeeded: 'done',
  failed: 'failed',
  superseded: 'done',
  cancelled: 'failed',
};

/** The build of the site that follows the publish; nothing where the project has no deploy hook. */
export function RebuildStep({ publish }: { publish: Publish }) {
  const { project_id: projectId, blog_id: blogId, requested_at: requestedAt, served_at: servedAt } = publish;
  const hook = useDeployHook(projectId);
  const requests = useQuery({
    ...listDeployHookRequestsOptions({ path: { projectId }, query: { limit: LOOKED_AT } }),
    enabled: hook.data?.active === true,
    refetchInterval: ({ state }) =>
      (state.data === undefined || requestOf(state.data.items)?.finished_at === null) && LOOK_EVERY_MS,
  });
  const requestOf = (all: readonly DeployHookRequestLog[]) =>
    all.findLast(({ blog_ids: ids, created_at: at }) => ids.includes(blogId) && at >= requestedAt);
  const request = requests.data && requestOf(requests.data.items);
  if (hook.data?.active !== true) return null;
  const isNewer = Date.parse(hook.data.created_at) > Date.parse(requestedAt);
  const isOver = servedAt !== null && Date.now() - Date.parse(servedAt) > STARTS_WITHIN_MS;
  if (request === undefined && (isNewer || isOver)) return null;
  const state = request === undefined ? 'waiting' : STATES[request.status];
  const said = {
    waiting: text.rebuildWaiting,
    retrying: text.rebuildWaiting,
    done: text.rebuildDone,
    failed: text.rebuildFailed,
  };
  return <PublishStep state={state} title={text.rebuild} aside={said[state]} />;
}
