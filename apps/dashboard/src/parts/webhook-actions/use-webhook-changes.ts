import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { listPublishesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { deleteWebhook, updateWebhook } from '../../generated/sdk.gen.ts';
import type { Integration, IntegrationUpdateRequest } from '../../generated/types.gen.ts';
import { webhook as text } from '../../strings/sites/webhook.ts';
import { missedBy } from '../deliveries/missed-posts.ts';
import { notify } from '../notify.ts';
import type { ToastAction } from '../toasts/toast-store.ts';

/** What is done to a webhook on the service; what shows it is read again. */
export function useWebhookChanges(webhook: Integration) {
  const { project_id: projectId, id: integrationId } = webhook;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const read = () =>
    Promise.all(['getWebhook', 'listWebhooks'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
  const update = async (body: IntegrationUpdateRequest, done: string, action?: ToastAction) => {
    await updateWebhook({ path: { projectId, integrationId }, body, throwOnError: true });
    await read();
    notify.done(done, action);
  };
  const resume = () => {
    const { queryKey } = listPublishesOptions({ path: { projectId }, query: { limit: 50 } });
    const missed = missedBy(webhook, queries.getQueryData(queryKey)?.items ?? []).length;
    const view = () =>
      void navigate({ to: '/projects/$projectId/webhooks/$integrationId', params: { projectId, integrationId } });
    const resumed =
      missed === 0
        ? update({ active: true }, text.pause.resumed)
        : update({ active: true }, text.pause.resumedMissed(missed), { label: text.pause.showMissed, run: view });
    void resumed.catch((error) => notify.failed(error));
  };
  const pause = () => update({ active: false }, text.pause.done, { label: text.pause.undo, run: resume });
  const remove = async () => {
    await deleteWebhook({ path: { projectId, integrationId }, throwOnError: true });
    // What was not saved in its form has gone with it.
    await navigate({ to: '/projects/$projectId/webhooks', params: { projectId }, ignoreBlocker: true });
    notify.done(text.remove.done);
    // Its deliveries in the log are those of a deleted webhook from now on.
    queries.removeQueries({ queryKey: [{ _id: 'getWebhook', path: { integrationId } }] });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listWebhooks' }] });
  };
  return { update, pause, resume, remove };
}
