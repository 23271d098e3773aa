import { cleanPasted } from '../../src/pages/editor/writing/clean-pasted.ts';

/** What the page has for its tests. */
export type PastePage = { readonly cleanPasted: typeof cleanPasted };

Object.assign(globalThis, { cleanPasted } satisfies PastePage);
