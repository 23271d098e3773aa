import { listWebhooks } from '../../generated/sdk.gen.ts';
import type { ExportProjectWithWebhooksData } from '../../generated/types.gen.ts';

type ExportedWebhook = ExportProjectWithWebhooksData['body']['webhooks'][number];

/** How each webhook is set up, without values of headers. Null when they cannot be had: the service may be away. */
export async function listWebhooksForExport(projectId: string, signal: AbortSignal): Promise<ExportedWebhook[] | null> {
  // A project has no more than a page.
  const answer = await listWebhooks({ path: { projectId }, query: { limit: 100 }, signal }).catch(() => null);
  signal.throwIfAborted();
  if (answer?.data === undefined) return null;
  return answer.data.items.map((webhook) => {
    const { id, kind, name, url, has_secret, headers, active } = webhook;
    const { heal_links, retry_manual, standard_webhooks, settings, created_at } = webhook;
    return {
      ...{ id, kind, name, url, has_secret, active, heal_links, retry_manual, standard_webhooks, settings, created_at },
      headers: Object.keys(headers),
    };
  });
}
