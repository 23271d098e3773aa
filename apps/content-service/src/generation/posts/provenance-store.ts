import type { Provenance } from '@blog-content/payload-schemas';
import type { Transaction } from '../../platform/database/open-database.ts';
import { toAmount } from '../../money.ts';
import type { ClaimedJob } from '../jobs/job.ts';

/** Most generations that a blog remembers: the oldest go. */
const MAX_PROVENANCES = 20;

/** What is kept of a generation with the blog that it has written. */
export async function provenanceOf(
  tx: Transaction,
  {
    id,
    kind,
    writer,
    sources,
    request,
    now,
  }: Pick<ClaimedJob, 'id' | 'request'> & {
    readonly kind: string;
    readonly writer: string;
    readonly sources: Provenance['sources'];
    readonly now: Date;
  },
): Promise<Provenance> {
  const job = await tx.generationJob.findUniqueOrThrow({
    where: { id },
    select: { chargedMicros: true, inputTokens: true, outputTokens: true, startedAt: true },
  });
  const { sources: _sources, ...asked } = request;
  return {
    generation_id: id,
    kind,
    writer,
    sources,
    request: asked as Provenance['request'],
    cost: toAmount(job.chargedMicros),
    input_tokens: Number(job.inputTokens),
    output_tokens: Number(job.outputTokens),
    // Clocks of two processes may differ.
    total_ms: Math.max(0, now.getTime() - (job.startedAt ?? now).getTime()),
    generated_at: now.toISOString(),
    accepted_by: null,
    accepted_at: null,
  };
}

/** Notes it with the blog, in the transaction that writes it. Its revisions get a copy when they are published. */
export async function keepProvenance(tx: Transaction, blogId: string, provenance: Provenance): Promise<void> {
  await tx.$executeRaw`
    UPDATE blog SET provenance = (
      SELECT jsonb_agg(entry ORDER BY number) FROM (
        SELECT entry, number FROM jsonb_array_elements(
          coalesce(provenance, '[]') || ${JSON.stringify([provenance])}::jsonb)
          WITH ORDINALITY AS all_entries (entry, number)
        ORDER BY number DESC LIMIT ${MAX_PROVENANCES}) AS latest)
    WHERE id = ${blogId}::uuid`;
}
