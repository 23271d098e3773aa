/** Reads the place in the history from the address. */
export function readHistorySearch({ cursor }: Readonly<Record<string, unknown>>): { readonly cursor?: string } {
  return typeof cursor === 'string' ? { cursor } : {};
}
