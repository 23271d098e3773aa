/** A document as its page shows it. */
export interface Guide {
  readonly title: string;
  /** Its `<h2>`s and `<h3>`s. */
  readonly sections: readonly { readonly id: string; readonly title: string; readonly depth: 2 | 3 }[];
  /** All but the title. It is made of this repository’s own files alone, and HTML in them is text. */
  readonly html: string;
}

/** What the search of /docs finds: a section of a guide, or an operation. */
export interface SearchEntry {
  readonly id: number;
  readonly href: string;
  /** The document that it is part of. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
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

/** Those of docs/ itself that have one, and SECURITY.md. */
const LONG_GUIDE_NAMES = [
  'quickstart-site',
  'quickstart-agent',
  'public-api-extensions',
  'webhooks',
  'destinations',
  'making-posts',
  'configuration',
  'troubleshooting',
  'limits',
  'security',
  'contract',
] as const;

/** The published packages, whose READMEs have one. */
export const PACKAGE_NAMES = ['client', 'receiver', 'blog-cli'] as const;

export const DOCUMENT_NAMES = [...SHORT_GUIDE_NAMES, ...LONG_GUIDE_NAMES, ...PACKAGE_NAMES] as const;

export type DocumentName = (typeof DOCUMENT_NAMES)[number];

/** Where `npm start` listens. Documents use it, and a page replaces it with the reader’s origin. */
export const LOCAL_ORIGIN = 'http://127.0.0.1:4000';

/** Placeholders in samples, which the page replaces with a signed-in reader’s own values. */
export const READER = { publicKey: 'pk_live_YOUR_KEY', projectId: 'YOUR_PROJECT_ID' } as const;
