/** How long an attempt took by its record, which every view of it shows; null until it has ended. */
export function tookMs(attempt: { readonly started_at: string; readonly ended_at: string | null }): number | null {
  if (attempt.ended_at === null) return null;
  return Math.max(0, Date.parse(attempt.ended_at) - Date.parse(attempt.started_at));
}

/** “84 ms”, “1.2 s”, “2 min 5 s”. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
