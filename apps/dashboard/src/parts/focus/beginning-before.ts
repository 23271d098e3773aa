/** Where the content before an element begins: the first row of its table, or else its heading. */
export function beginningBefore(element: HTMLElement): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('main :is(h1, h2, tbody > tr:first-child)')].findLast(
    (each) => each.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
}
