import type { JobEnd } from '../generation/jobs/job.ts';
import { OFFLINE } from '../generation/writing/offline-writer.ts';
import type { Transaction } from '../platform/database/open-database.ts';
import { addProjectEvents } from '../project-events/project-event-store.ts';
import { addStateEvent, halt, haltForBudget, lockAutopilot, type NotifyOwners } from './autopilot-change-store.ts';
import { settingsOf } from '../autopilot-settings.ts';
import { monthOf, spentIn } from './autopilot-state.ts';
import { topicIdOf } from './topic-request.ts';

/** So many posts in a row that could not be made stop the autopilot. */
const MAX_FAILURES = 3;
const HOUR_MS = 3_600_000;

/** Hears how the job of a topic has ended, in the transaction in which it does: see `OnJobEnd`. */
export async function hearJobEnd(tx: Transaction, end: JobEnd, now: Date, notifyOwners: NotifyOwners): Promise<void> {
  const topicId = topicIdOf(end.origin);
  if (topicId === null) return;
  const { projectId, status, blogId, failure, writer } = end;
  const autopilot = await lockAutopilot(tx, projectId);
  const outcome = ({ succeeded: 'made', failed: 'failed', cancelled: 'cancelled' } as const)[status];
  // It is no fault of the topic, which comes first again.
  const lacksBudget = failure?.code === 'month_budget';
  const { count } = await tx.autopilotTopic.updateMany({
    where: { id: topicId, projectId, jobId: end.id, status: 'writing' },
    data: { status: lacksBudget ? 'queued' : outcome, blogId, failure: failure?.message ?? null },
  });
  if (autopilot === null || count === 0) return;
  const { posts, micros } = spentIn(autopilot, now);
  const { chargedMicros } = await tx.generationJob.findUniqueOrThrow({
    where: { id: end.id },
    select: { chargedMicros: true },
  });
  const settings = settingsOf(autopilot);
  const failuresInARow = {
    made: 0,
    failed: autopilot.failuresInARow + Number(!lacksBudget),
    cancelled: autopilot.failuresInARow,
  };
  const counted = await tx.autopilot.update({
    where: { projectId },
    data: {
      failuresInARow: failuresInARow[outcome],
      ...(outcome === 'made' && autopilot.reason === 'budget' && { reason: null }),
      month: monthOf(now),
      monthPosts: posts + Number(status === 'succeeded'),
      monthMicros: micros + chargedMicros,
    },
  });
  await addStateEvent(tx, counted);
  const isGoing = autopilot.enabled && autopilot.state !== 'paused' && autopilot.state !== 'stopped';
  if (!isGoing) return;
  if (lacksBudget) {
    await haltForBudget(tx, autopilot, now, notifyOwners);
    return;
  }
  if (failuresInARow[outcome] >= MAX_FAILURES) {
    await halt(tx, autopilot, { state: 'stopped', reason: 'repeated_failure', nextRunAt: null }, now, notifyOwners);
    return;
  }
  // What the offline writer makes is an outline, which says so at the top: only a person publishes one.
  const isPost = status === 'succeeded' && writer !== OFFLINE;
  if (isPost && blogId !== null && settings.publish === 'after_review') {
    const publishAt = new Date(now.getTime() + settings.review_hours * HOUR_MS);
    await tx.blog.updateMany({
      where: { id: blogId, projectId, state: 'draft' },
      data: { publishAt, publishAtSetBy: autopilot.setBy, publishAtTrigger: 'autopilot', publishRetryAt: null },
    });
    const schedule = { blog_id: blogId, publish_at: publishAt.toISOString() };
    await addProjectEvents(tx, [{ projectId, data: { event: 'schedule.changed', ...schedule } }]);
  }
}
