import { z } from 'zod';

/** RFC 9457 problem document; `errors` names each refused field. */
export const problem = z.object({
  type: z.string().optional(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** A list of `items`; `next_cursor` leads to the next page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}
