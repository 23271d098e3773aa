/** A guide as its page shows it. */
export interface Guide {
  readonly title: string;
  /** Its `<h2>`s. */
  readonly sections: readonly { readonly id: string; readonly title: string }[];
  /** All but the title. It is made of this repository’s own files alone, and HTML in them is text. */
  readonly html: string;
}

/** The files of docs/ that have a page, without `.md`, in the order of the menu. */
export const GUIDE_NAMES = [
  'quickstart-site',
  'quickstart-agent',
  'webhooks',
  'making-posts',
  'limits',
  'contract',
] as const;

export type GuideName = (typeof GUIDE_NAMES)[number];
