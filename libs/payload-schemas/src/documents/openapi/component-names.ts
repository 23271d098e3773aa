import type { z } from 'zod';
import * as owner from '../../owner-api.ts';
import * as primitives from '../../primitives.ts';
import { memberRole } from '../../projects-topic.ts';
import * as open from '../../public-api.ts';
import * as webhooks from '../../webhook-bodies.ts';
import { itemOf } from '../surface/parameters.ts';

/** Every exported schema by its name in the document, which is the export's in capitals: `ownerBlog` is `Blog`. */
const names = new Map<z.ZodType, string>();
for (const [exported, value] of Object.entries({ ...primitives, memberRole, ...owner, ...open, ...webhooks })) {
  if (!isSchema(value)) continue;
  const name = exported.replace(/^owner(?=[A-Z])/, '').replace(/^[a-z]/, (first) => first.toUpperCase());
  if ([...names.values()].includes(name)) throw new Error(`Two schemas would be the component ${name}.`);
  names.set(value, name);
}

/** The component that a schema is; undefined for one that is written inline. */
export function componentNameOf(schema: z.ZodType): string | undefined {
  const item = itemOf(schema);
  return item === undefined ? names.get(schema) : `${componentNameOf(item) ?? 'Item'}Page`;
}

function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}
