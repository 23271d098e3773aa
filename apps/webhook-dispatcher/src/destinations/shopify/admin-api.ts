import { z } from 'zod';
import type { TargetClient } from '../target-client.ts';

const answer = z.object({
  data: z.unknown(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }))
    .optional(),
});
const throttling = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })),
  extensions: z
    .object({
      cost: z.object({
        requestedQueryCost: z.number(),
        throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
      }),
    })
    .optional()
    .catch(undefined),
});

/** An operation, and what its `data` looks like. */
export interface Operation<T> {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly data: z.ZodType<T>;
  /** See `TargetRequest`. */
  readonly decides?: boolean;
}

/** Runs operations of Shopify's Admin API. What went wrong in one as a whole is thrown as a `TargetFailure`. */
export function createAdminApi(url: string, client: TargetClient) {
  return async <T>({ query, variables, data, decides = false }: Operation<T>): Promise<T> => {
    const { json } = await client.call({
      method: 'POST',
      url,
      json: { query, variables },
      decides,
      throttled: throttledFor,
    });
    const { errors: [error] = [], data: given } = answer.parse(json);
    if (error !== undefined) {
      const isTransient = TRANSIENT.has(error.extensions?.code ?? '');
      throw client.declined(`Shopify rejected the request: ${error.message}`, isTransient ? 0 : null);
    }
    return data.parse(given);
  };
}

const TRANSIENT: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'TIMEOUT']);

/** Where it does not say how much is missing, in milliseconds. */
const DEFAULT_WAIT_MS = 1_000;

/**
 * Until a throttled operation can be paid for, in milliseconds; null for one that is not throttled. Shopify says so
 * within a 200.
 */
function throttledFor(json: unknown): number | null {
  const read = throttling.safeParse(json);
  if (!read.success || !read.data.errors.some(({ extensions }) => extensions.code === 'THROTTLED')) return null;
  const cost = read.data.extensions?.cost;
  if (cost === undefined) return DEFAULT_WAIT_MS;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  const missing = cost.requestedQueryCost - currentlyAvailable;
  return missing <= 0 ? DEFAULT_WAIT_MS : Math.ceil((missing / restoreRate) * 1_000);
}
