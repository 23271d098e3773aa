import type { generation, generationItem, GenerationReport } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { toAmount } from '../../money.ts';
import type { ListedJob, ShownJob } from './job.ts';

type Item = z.infer<typeof generationItem>;
type ShownGeneration = z.infer<typeof generation>;

/** A job in lists and events. */
export function showJobItem(job: ListedJob): Item {
  const { failureCode: code, failureMessage: message } = job;
  return {
    id: job.id,
    kind: job.kind as Item['kind'],
    status: job.status as Item['status'],
    step: job.step,
    steps_done: job.stepsDone,
    steps: job.stepsInAll,
    topic: job.topic,
    origin: job.origin,
    writer: job.writer,
    input_tokens: Number(job.inputTokens),
    output_tokens: Number(job.outputTokens),
    cost: toAmount(job.chargedMicros),
    blog_id: job.blogId,
    proposal_id: job.proposalId,
    failure: code !== null && message !== null ? { code, message } : null,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}

export function showJob(job: ShownJob): ShownGeneration {
  const report = job.report as GenerationReport | null;
  // Reports of earlier releases don't have it.
  return { ...showJobItem(job), report: report && { ...report, brand_voice: report.brand_voice ?? null } };
}
