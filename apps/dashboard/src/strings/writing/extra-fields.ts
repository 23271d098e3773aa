import type { BlogUpdateRequest } from '../../generated/types.gen.ts';

/** Labels of the fields that posts have beyond those of the contract (docs/recipes/add-a-blog-field.md). */
export const extraFields = {} as const satisfies { readonly [Name in keyof BlogUpdateRequest]?: string };

export type ExtraField = keyof typeof extraFields;
export const extraNames = Object.keys(extraFields) as ExtraField[];
