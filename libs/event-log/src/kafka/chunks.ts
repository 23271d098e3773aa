/** Cuts a list into pieces whose sizes add up to at most `most`; a larger item is alone. Keeps the order. */
export function* inChunks<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  most: number,
): Generator<readonly Item[]> {
  let chunk: Item[] = [];
  let size = 0;
  for (const item of items) {
    const itemSize = sizeOf(item);
    if (chunk.length > 0 && size + itemSize > most) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(item);
    size += itemSize;
  }
  if (chunk.length > 0) yield chunk;
}
