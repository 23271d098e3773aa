import { declareExtras } from './declare-extras.ts';

/** The fields of posts beyond those of the contract, each declared once (docs/recipes/add-a-blog-field.md). */
export const extras = declareExtras({});

/** Their values. */
export type Extras = ReturnType<typeof extras.of>;
