const TABS = ['made', 'settings'] as const;

/** What is open, as it stands in the address; the queue where nothing does. */
export interface AutopilotSearch {
  readonly tab?: (typeof TABS)[number];
}

export function readAutopilotSearch({ tab }: Readonly<Record<string, unknown>>): AutopilotSearch {
  return TABS.includes(tab as (typeof TABS)[number]) ? { tab: tab as (typeof TABS)[number] } : {};
}
