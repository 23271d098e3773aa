import { watchProject } from '../generated/sdk.gen.ts';
import { authorizedFetch } from '../session/authorized-fetch.ts';
import type { Connect } from './follow-stream.ts';

/** Longer than the 15 s between two messages of the service: after that, the connection is dead without a notice. */
const SILENCE_MS = 40_000;
/** A proxy may cut each line once it has told something: that is asked for again less and less often. */
const HOLDS_MS = 5_000;

/** One connection to a project’s events, read with `fetch`: `EventSource` cannot send a token. */
export function connectTo(projectId: string, signal: AbortSignal): Connect {
  return async (lastId, onNews) => {
    const ended = { status: 0, retryAfterS: null as number | null, heard: false };
    const beganAt = performance.now();
    const silent = new AbortController();
    const cut = () => silent.abort();
    let silence = setTimeout(cut, SILENCE_MS);
    // After an offline phase the connection may be dead. The next one resumes after the last event.
    window.addEventListener('online', cut);
    try {
      const { stream } = await watchProject({
        path: { projectId },
        headers: lastId === undefined ? {} : { 'Last-Event-ID': lastId },
        signal: AbortSignal.any([signal, silent.signal]),
        cache: 'no-store',
        // Connecting again is `followStream`’s: it knows what was refused, and how long to wait.
        sseMaxRetryAttempts: 1,
        fetch: async (input) => {
          const answer = await authorizedFetch(input as Request);
          ended.status = answer.status;
          ended.retryAfterS = Number(answer.headers.get('Retry-After')) || null;
          return answer;
        },
        onSseEvent: ({ id, event, data }) => {
          clearTimeout(silence);
          silence = setTimeout(cut, SILENCE_MS);
          if (id !== undefined || event !== undefined) ended.heard = true;
          const isNews = event !== undefined && typeof data === 'object' && data !== null;
          onNews(id, isNews ? { event, data } : null);
        },
      });
      // What comes went to `onSseEvent`; this only waits for the end.
      while (!(await stream.next()).done);
    } finally {
      clearTimeout(silence);
      window.removeEventListener('online', cut);
    }
    return { ...ended, heard: ended.heard && performance.now() - beganAt > HOLDS_MS };
  };
}
