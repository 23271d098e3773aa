import {
  autopilotTopic,
  type AutopilotReason,
  type AutopilotStoppedEvent,
  type ShownAutopilot,
} from '@blog-content/payload-schemas';
import type { EmailQueue } from '../email/email-queue-store.ts';
import type { Autopilot } from '../generated/prisma/client.ts';
import type { Transaction } from '../platform/database/open-database.ts';
import { emit } from '../platform/database/outbox-store.ts';
import { addProjectEvents } from '../project-events/project-event-store.ts';
import { settingsOf } from '../autopilot-settings.ts';
import { detailOf } from './autopilot-state.ts';
import { nextRun } from './next-run.ts';

/** Tells owners by email that their autopilot has stopped. */
export type NotifyOwners = EmailQueue['notifyOwners'];

/** Every change of an autopilot begins with this lock. */
export async function lockAutopilot(tx: Transaction, projectId: string): Promise<Autopilot | null> {
  const locked = await tx.$queryRaw<object[]>`
    SELECT FROM autopilot WHERE project_id = ${projectId}::uuid FOR UPDATE`;
  return locked.length === 0 ? null : tx.autopilot.findUnique({ where: { projectId } });
}

/** Tells those who watch the project the state of its autopilot. */
export async function addStateEvent(
  tx: Transaction,
  { projectId, enabled, state, reason }: Pick<Autopilot, 'projectId' | 'enabled' | 'state' | 'reason'>,
): Promise<void> {
  const status = enabled ? (state as ShownAutopilot['status']) : 'off';
  await addProjectEvents(tx, [{ projectId, data: { event: 'autopilot.changed', status, reason } }]);
}

/** Has it make no more posts, and tells why, once. */
export async function halt(
  tx: Transaction,
  { projectId, reason: before }: Pick<Autopilot, 'projectId' | 'reason'>,
  to: { state: 'waiting' | 'stopped'; reason: AutopilotReason; nextRunAt: Date | null },
  now: Date,
  notifyOwners: NotifyOwners,
): Promise<void> {
  const halted = await tx.autopilot.update({ where: { projectId }, data: to });
  if (before === to.reason) return;
  const event: AutopilotStoppedEvent = {
    event: 'autopilot.stopped',
    project_id: projectId,
    reason: to.reason,
    detail: detailOf(to.reason),
    goes_on: to.state === 'waiting' ? 'by_itself' : 'when_resumed',
    stopped_at: now.toISOString(),
  };
  await emit(tx, autopilotTopic, event, now);
  const { project_id, reason, detail, goes_on } = event;
  await notifyOwners(tx, { kind: 'autopilot_stopped', project_id, reason, detail, goes_on });
  await addStateEvent(tx, halted);
}

/** At each of its times it looks whether there is budget again: of a new month, or because somebody has raised one. */
export async function haltForBudget(
  tx: Transaction,
  autopilot: Autopilot,
  now: Date,
  notifyOwners: NotifyOwners,
): Promise<void> {
  const nextRunAt = nextRun(settingsOf(autopilot), now);
  await halt(tx, autopilot, { state: 'waiting', reason: 'budget', nextRunAt }, now, notifyOwners);
}
