/**
 * Has V8 collect once and give back to the system what importing and starting took and nothing uses any more; nothing
 * without `--expose-gc` (ADR 17). The process stays slower: not for a service whose memory suffices without it.
 */
export function returnUnusedMemory(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}
