const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes plain text for use as an element's text or between double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/**
 * Makes what stood in one attribute fit between double quotes. It is HTML already, so references are kept; only a
 * bare `&` is escaped.
 */
export function requoteAttribute(rawValue: string): string {
  return rawValue
    .replace(/&(?!#\d|#x[\da-f]|[a-z][a-z\d]{0,31};)/gi, '&amp;')
    .replace(/[<>"]/g, (character) => ENTITIES[character]!);
}
