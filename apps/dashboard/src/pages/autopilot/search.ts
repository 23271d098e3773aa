const TABS = ['made', 'settings'] as const;
/** The result of a topic. */
export const RESULTS = ['made', 'writing', 'failed', 'cancelled'] as const;
export type Result = (typeof RESULTS)[number];

/** The open tab according to the URL; the queue by default. */
export interface AutopilotSearch {
  readonly tab?: (typeof TABS)[number];
  readonly result?: Result;
}

export function readAutopilotSearch({ tab, result }: Readonly<Record<string, unknown>>): AutopilotSearch {
  return {
    ...(TABS.includes(tab as (typeof TABS)[number]) && { tab: tab as (typeof TABS)[number] }),
    ...(RESULTS.includes(result as Result) && { result: result as Result }),
  };
}
