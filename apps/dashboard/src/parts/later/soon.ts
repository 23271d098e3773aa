/** Long enough for what the page itself loads and draws. */
const AFTER_MS = 2_000;

/** Runs it once the page has loaded and the browser is idle. Call the result to cancel. */
export function soon(run: () => void): () => void {
  const timer = setTimeout(() => whenIdle(run), AFTER_MS);
  return () => clearTimeout(timer);
}

/** Browsers that can’t say when they are idle run it a moment later. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run);
  else setTimeout(run, 200);
}
