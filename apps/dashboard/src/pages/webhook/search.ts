import { readDeliveriesSearch, type DeliveriesSearch } from '../../parts/deliveries/log/search.ts';

const TABS = ['overview', 'deliveries', 'settings', 'code'] as const;
export type WebhookTab = (typeof TABS)[number];

/** What the page of a webhook shows, as the URL has it; the filters are those of its log. */
export interface WebhookSearch extends Omit<DeliveriesSearch, 'webhook'> {
  readonly tab?: Exclude<WebhookTab, 'overview'>;
  /** The field of the settings to begin in. */
  readonly edit?: 'url';
}

export const isTab = (given: unknown): given is WebhookTab => TABS.some((tab) => tab === given);

/** Reads the URL and leaves out what it does not know. */
export function readWebhookSearch(given: Readonly<Record<string, unknown>>): WebhookSearch {
  const { tab, edit } = given;
  const { webhook: _webhook, ...filters } = readDeliveriesSearch(given);
  return {
    ...filters,
    ...(isTab(tab) && tab !== 'overview' && { tab }),
    ...(tab === 'settings' && edit === 'url' && { edit }),
  };
}
