import { notifyManager, QueryClient } from '@tanstack/react-query';
import { client } from '../generated/client.gen.ts';
import { authorizedFetch } from '../session/authorized-fetch.ts';
import { ApiError, toApiError } from '../api/api-error.ts';

const MAX_RETRIES = 2;

/** Has the generated client carry the session, and throw `ApiError`s. */
export function setUpClient(): QueryClient {
  // Always JSON, so that a proxy’s error page is not taken for the service’s answer.
  client.setConfig({ baseUrl: window.location.origin, fetch: authorizedFetch as typeof fetch, parseAs: 'json' });
  // Its own is a timer: until then, a second press of a button would be a second request.
  notifyManager.setScheduler(queueMicrotask);
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Only what may pass by itself is asked for again; a refusal stays one.
        retry: (count, error) => count < MAX_RETRIES && passesByItself(error),
      },
      // People decide whether to press a button again. What was sent is not kept: it may be a password.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });
  client.interceptors.error.use((error, response) => {
    // This person’s role has changed, and with it what the page offers.
    if (response?.status === 403) void queries.invalidateQueries({ queryKey: [{ _id: 'getProject' }] });
    return toApiError(error, response);
  });
  return queries;
}

/** Who has waited for an answer in vain is told, and not made to wait again. */
function passesByItself(error: unknown): boolean {
  return error instanceof ApiError && !error.isTimeout && (error.status === 0 || error.status >= 500);
}
