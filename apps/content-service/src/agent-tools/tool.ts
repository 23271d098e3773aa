import type { IdempotencyStore, StoredResult, Subject } from '../platform/idempotency/idempotency-store.ts';
import { resultOf } from '../platform/idempotency/idempotent.ts';
import type { Caller } from '../platform/http/caller.ts';
import { createHash } from 'node:crypto';
import type { AgentPermission } from '@blog-content/payload-schemas';
import { jsonSchemaOf, type JsonSchema } from '@blog-content/payload-schemas/json-schema';
import { parseBody, type IfMatch } from '@blog-content/service-runtime';
import { z } from 'zod';

/** What an agent can call by name: an operation of the agent API. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What it does, and what to know before calling it: models read this. */
  readonly description: string;
  /** What it takes, as JSON Schema: for clients to see. */
  readonly inputSchema: JsonSchema;
  /** What it answers, as JSON Schema. */
  readonly outputSchema: JsonSchema;
  readonly changes: 'nothing' | 'something' | 'what readers see';
  /** That calling it again with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** What a key must be allowed to call it. */
  readonly permission: AgentPermission;
  /** @throws OperationalError, whose detail and fields the agent is told. */
  run(caller: Caller, input: unknown): Promise<object>;
}

/** Declares a tool: what it is called with is read like the body of a request, with the same refusals. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType<object, object>>({
  input,
  output,
  run,
  ...tool
}: Omit<Tool, 'inputSchema' | 'outputSchema' | 'run'> & {
  readonly input: Input;
  readonly output: Output;
  readonly run: (caller: Caller, input: z.output<Input>, given: unknown) => Promise<z.input<Output>>;
}): Tool {
  let inputSchema: JsonSchema | undefined;
  let outputSchema: JsonSchema | undefined;
  return {
    ...tool,
    // Once, when it is first asked for: it never changes, and takes as long as answering a request.
    get inputSchema() {
      return (inputSchema ??= jsonSchemaOf(input, 'input'));
    },
    get outputSchema() {
      return (outputSchema ??= jsonSchemaOf(output, 'output'));
    },
    run: (caller, given) => run(caller, parseBody(input, given), given),
  };
}

const MAX_KEY = 255;

/** Fields that tools have in common. */
export const blogId = z.uuid().describe('ID of the post.');
export const ifVersion = z
  .int()
  .optional()
  .describe('Update only if the post still has this `version`, so that no other edit is overwritten.');
export const idempotencyKey = z
  .string()
  .regex(/^[!-~]+$/, 'must be visible ASCII characters, such as a UUID')
  .max(MAX_KEY)
  .optional()
  .describe('A unique value, such as a UUID. Repeating the call with the same key is safe.');

/** The arguments of a tool that lists. */
export const paging = {
  cursor: z.string().max(100).optional().describe('`next_cursor` from the previous page.'),
  limit: z.int().min(1).max(100).optional().describe('Items per page. Defaults to 50.'),
};

/** What tools do that change nothing. */
export const reading = { changes: 'nothing', idempotent: true, permission: 'draft' } as const;

export const matching = (version: number | undefined): IfMatch =>
  version === undefined ? () => true : (current) => current === version;

/** Does something once for each key that the caller gives; without a key each call is a new one. */
export async function onceByKey<Stores, Result extends object>(
  idempotency: IdempotencyStore<Stores>,
  caller: Caller,
  { key, tool, given }: { readonly key: string | undefined; readonly tool: string; readonly given: unknown },
  work: (stores: Stores) => Promise<Result>,
  subjectOf: (result: Result) => Subject = () => ({}),
): Promise<Result> {
  if (key === undefined) return work(idempotency.stores);
  const fingerprint = createHash('sha256')
    .update(`mcp ${tool}\n${JSON.stringify(given)}`)
    .digest('hex');
  return resultOf(
    await idempotency.once(
      { callerId: caller.id, key, item: '', fingerprint },
      async (stores) => (await work(stores)) as StoredResult,
      (result) => ({ projectId: caller.projectId, ...subjectOf(result as unknown as Result) }),
    ),
  ) as unknown as Result;
}
