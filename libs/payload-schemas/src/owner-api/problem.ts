import { z } from 'zod';
import { doc, fields } from '../fields.ts';

/** RFC 9457 problem document; `errors` names each refused field. */
export const problem = z.object({
  type: z.string().optional().meta(doc('URI of the error type; `about:blank` if omitted.', 'about:blank')),
  title: z.string().meta(doc('Standard phrase for the status.', 'Not Found')),
  status: z.int().meta(doc('The HTTP status.', 404)),
  detail: z.string().meta(doc('Human-readable explanation.', 'Project not found.')),
  errors: z
    .array(
      z.object({
        field: fields.invalidField,
        message: z.string().meta(doc('Why the field is invalid.', 'is required')),
      }),
    )
    .optional()
    .meta(doc('The invalid fields.', [{ field: 'title', message: 'is required' }])),
});

/** A list of `items`; `next_cursor` leads to the next page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('The items on this page, in list order.'),
    next_cursor: z
      .string()
      .nullable()
      .meta(doc('Pass as `cursor` to get the next page; null on the last page.', 'MTI')),
  });
}
