import { plainText } from '../html/plain-text.ts';

/** An item of a WXR file, as far as this reads it. All values are texts. */
export interface Item {
  readonly title?: string;
  readonly link?: string;
  readonly category?: readonly {
    readonly '@domain'?: string;
    readonly '@nicename'?: string;
    readonly '#text'?: string;
  }[];
  readonly 'content:encoded'?: string;
  readonly 'dc:creator'?: string;
  readonly 'excerpt:encoded'?: string;
  readonly 'wp:post_id'?: string;
  readonly 'wp:post_name'?: string;
  readonly 'wp:post_parent'?: string;
  readonly 'wp:post_password'?: string;
  readonly 'wp:post_type'?: string;
  readonly 'wp:status'?: string;
  readonly 'wp:post_date'?: string;
  readonly 'wp:post_date_gmt'?: string;
  readonly 'wp:attachment_url'?: string;
  readonly 'wp:comment'?: readonly object[];
  readonly 'wp:postmeta'?: readonly { readonly 'wp:meta_key'?: string; readonly 'wp:meta_value'?: string }[];
}

/** The parser gives an empty element as an empty text, and one with attributes as an object. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  const inner = typeof value === 'object' && value !== null && '#text' in value ? value['#text'] : '';
  return typeof inner === 'string' ? inner : '';
}

export const titleOf = (item: Item): string => plainText(text(item.title)) || 'Untitled';

export const hasPassword = (item: Item): boolean => text(item['wp:post_password']) !== '';

export const metaOf = (item: Item): Map<string, string> =>
  new Map(item['wp:postmeta']?.map((row) => [text(row['wp:meta_key']), text(row['wp:meta_value'])]));

/**
 * When a post was published, or will be. The date of the site's zone where there is no other: see {@link lacksZone}.
 */
export const timeOf = (item: Item): string | null =>
  toTime(text(item['wp:post_date_gmt'])) ?? toTime(text(item['wp:post_date']));

export const lacksZone = (item: Item): boolean =>
  toTime(text(item['wp:post_date_gmt'])) === null && timeOf(item) !== null;

/** `2024-01-31 09:30:00`, read as UTC; zeros mean no date. */
function toTime(date: string): string | null {
  const time = new Date(`${date.trim().replace(' ', 'T')}Z`);
  return date.startsWith('0000') || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** What a post is there, as a clause: the import quotes it where it says why a post is a draft here. */
export function stateOf(item: Item, given: { readonly isScheduled: boolean; readonly isGated: boolean }): string {
  const status = text(item['wp:status']);
  if (hasPassword(item)) return 'it has a password in WordPress';
  if (status === 'private') return 'it is private in WordPress';
  if (status === 'draft') return 'it is a draft in WordPress';
  if (status === 'pending') return 'it awaits review in WordPress';
  if (given.isGated) return 'parts of it may be for members only in WordPress';
  if (status === 'future' && given.isScheduled) return 'it is scheduled in WordPress';
  if (status === 'future') return 'it was scheduled in WordPress for a time that has passed';
  if (status !== 'publish') return `its status in WordPress is “${status}”`;
  return timeOf(item) === null ? 'it has no readable date in WordPress' : 'it is published in WordPress';
}
