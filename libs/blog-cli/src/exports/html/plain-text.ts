import { decodeHTMLAttribute, decodeHTMLStrict } from 'entities';

/** Elements that occur in titles and excerpts. Anything else in angle brackets is unescaped text. */
const TAG =
  /<\/?(?:a|abbr|b|br|cite|code|del|div|em|i|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?\/?>/gi;

/** The text of HTML as WordPress keeps it in titles, excerpts and names of categories. */
export function plainText(html: string): string {
  const words = html.replaceAll(TAG, (tag) => (/^<\/?(?:br|div|p)\b/i.test(tag) ? ' ' : ''));
  return decodeHTMLStrict(words).replaceAll(/\s+/g, ' ').trim();
}

/** What the value of an attribute says. */
export const attributeText = decodeHTMLAttribute;

/** A text as the value of an attribute. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** A text as the value of an attribute, which may be escaped already. */
export const attributeValue = (text: string): string => escaped(attributeText(text));
