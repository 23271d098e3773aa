/** A start tag whose quotes are closed. */
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
/** A quoted value, or an event handler. */
const HANDLER = /("[^"]*"|'[^']*')|\s(on[a-z]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]*)/gi;

/**
 * HTML without its event handlers. None runs in a document that is not shown, but browsers parse each by the page's
 * content security policy, and complain of it in the console.
 */
export function withoutEventHandlers(html: string): string {
  return html.replace(TAG, (tag) => tag.replace(HANDLER, (_, quoted?: string) => quoted ?? ''));
}

/** The names of the event handlers in HTML. */
export function eventHandlersIn(html: string): readonly string[] {
  const tags = html.match(TAG) ?? [];
  return tags.flatMap((tag) => [...tag.matchAll(HANDLER)].flatMap(([, , name]) => name?.toLowerCase() ?? []));
}
