/** A guide as its page shows it. */
export interface Guide {
  readonly title: string;
  /** Its `<h2>`s. */
  readonly sections: readonly { readonly id: string; readonly title: string }[];
  /** All but the title. It is made of this repository’s own files alone, and HTML in them is text. */
  readonly html: string;
}

/** The files of docs/guides that have a page, without `.md`, in the order of the menu. */
export const SHORT_GUIDE_NAMES = [
  'fetch-posts',
  'receive-webhooks',
  'write-with-an-agent',
  'move-here',
  'move-away',
  'consume-lifecycle',
] as const;

/** All that have one, with those of docs/ itself behind. */
export const GUIDE_NAMES = [
  ...SHORT_GUIDE_NAMES,
  'quickstart-site',
  'quickstart-agent',
  'webhooks',
  'making-posts',
  'limits',
  'contract',
] as const;

export type GuideName = (typeof GUIDE_NAMES)[number];

/** Where `npm start` listens, which documents name; a page shows its reader's own origin instead. */
export const LOCAL_ORIGIN = 'http://127.0.0.1:4000';
