import type { QuotaName } from '@blog-content/payload-schemas';
import { OperationalError } from '@blog-content/service-runtime';

/** A quota that has no room for what was asked for. */
export interface FullQuota {
  readonly name: QuotaName;
  /** Whether it limits the project alone, or all projects that one of its owners has. */
  readonly of: 'project' | 'account';
  readonly used: number;
  readonly most: number;
  /** How much more was asked for. */
  readonly more: number;
}

const QUOTA_REACHED = 'quota_reached';
const DAY_MS = 24 * 3_600_000;
const MEGABYTE = 1024 * 1024;

/** Publishes are counted by UTC day: when the day of `now` began. */
export const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
/** When publishes are counted from zero again. */
export const nextDay = (now: Date) => new Date(startOfDay(now).getTime() + DAY_MS);

/** 409: names the quota, how much of it is used, and what frees it. */
export const quotaReached = (full: FullQuota, now: Date) =>
  new OperationalError({ code: QUOTA_REACHED, status: 409, title: 'Quota reached', detail: detailOf(full, now) });

export const isQuotaReached = (error: unknown): error is OperationalError =>
  error instanceof OperationalError && error.code === QUOTA_REACHED;

function detailOf({ name, of, used, most, more }: FullQuota, now: Date): string {
  const where = of === 'project' ? 'This project' : 'An owner of this project, with all projects they own,';
  const ask = `ask the administrator to raise the ${of}’s quota.`;
  switch (name) {
    case 'posts':
      return `${where} has ${count(used)} of ${count(most)} posts allowed. Delete some, or ${ask}`;
    case 'storage_bytes':
      return `${where} uses ${megabytes(used)} of ${megabytes(most)} MB allowed for images, and this one needs ${megabytes(more)} MB. Delete unused images, or ${ask}`;
    case 'publishes_per_day':
      return `${where} has used ${count(used)} of ${count(most)} publishes allowed per day. Publish again after ${nextDay(now).toISOString().slice(0, 10)} 00:00 UTC, or ${ask}`;
  }
}

const count = (number: number) => number.toLocaleString('en-US');
const megabytes = (bytes: number) => (bytes / MEGABYTE).toLocaleString('en-US', { maximumFractionDigits: 2 });
