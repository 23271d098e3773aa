/** A link to a published post, and the words that it is on. */
export interface LinkPlacement {
  readonly slug: string;
  readonly title: string;
  readonly anchor: string;
}

/** Where in HTML the words stand. */
export interface FoundPlace extends LinkPlacement {
  readonly start: number;
  readonly end: number;
}

/**
 * Makes links of places in HTML that do not overlap, as placeholders: they lead nowhere while the post is not there.
 */
export function placeLinks(html: string, places: readonly FoundPlace[]): string {
  return places
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (linked, { slug, start, end }) =>
        `${linked.slice(0, start)}<a href="[INTERNAL:${slug}]">${linked.slice(start, end)}</a>${linked.slice(end)}`,
      html,
    );
}
