/**
 * Has V8 collect once and give back to the system what importing and starting took and nobody uses any more; nothing
 * without `--expose-gc` (ADR 16). The process is slower for good where much has run before: a service whose time counts calls this
 * before it starts, one whose memory counts when it has started.
 */
export function returnUnusedMemory(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}
