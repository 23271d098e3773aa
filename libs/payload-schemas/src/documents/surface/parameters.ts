import { z } from 'zod';
import * as owner from '../../owner-api.ts';
import type { QueryParameter } from '../operation.ts';

export const OWNER = '/blog/api/v1/owner';
export const AGENT = '/blog/api/v1/agent';
export const PROJECT = `${OWNER}/projects/{projectId}`;

/** The parameters of every list. */
export const paging = {
  cursor: { schema: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/), description: '`next_cursor` from the previous page.' },
  limit: { schema: z.int().min(1).max(100).default(50), description: 'Items per page.' },
} satisfies Record<string, QueryParameter>;

const pages = new Map<z.ZodType, z.ZodType>();

/** The page of a list of `item`: one schema for each, so that the documents can name it. */
export function pageOf(item: z.ZodType): z.ZodType {
  const page = pages.get(item) ?? owner.pageOf(item);
  pages.set(item, page);
  return page;
}

/** What a page is of; undefined for a schema that {@link pageOf} did not make. */
export const itemOf = (page: z.ZodType): z.ZodType | undefined => [...pages].find(([, known]) => known === page)?.[0];

/** The parameters that a query schema describes. */
export function parametersOf(query: z.ZodObject): Record<string, QueryParameter> {
  const shape = query.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
      return [name, { schema, description: schema.description ?? inner.description ?? name }];
    }),
  );
}
