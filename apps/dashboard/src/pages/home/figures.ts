import type { Publish, PublicKeyUsage } from '../../generated/types.gen.ts';
import { countReceivers } from '../publishing/count-receivers.ts';

const WEEK_MS = 7 * 86_400_000;
const DAYS = 7;

export interface Figures {
  /** Posts published within seven days. */
  readonly posts: number;
  /** Whether there may be more than were looked at. */
  readonly isMore: boolean;
  readonly delivered: number;
  /** Deliveries of these publishes that have ended. */
  readonly ended: number;
}

/** @param publishes newest first; `isAll` unless there are older ones that were not read. */
export function figuresOf(publishes: readonly Publish[], isAll: boolean, now: number): Figures {
  const recent = publishes.filter(({ requested_at: at }) => now - Date.parse(at) < WEEK_MS);
  const counts = recent.map(({ deliveries }) => countReceivers(deliveries));
  const sum = (of: 'succeeded' | 'failed') => counts.reduce((total, each) => total + each[of], 0);
  return {
    posts: new Set(recent.map(({ blog_id: id }) => id)).size,
    isMore: !isAll && recent.length === publishes.length,
    delivered: sum('succeeded'),
    ended: sum('succeeded') + sum('failed'),
  };
}

/** Requests of the last seven days, and each day's. */
export function requestsOf({ days }: Pick<PublicKeyUsage, 'days'>): { total: number; byDay: readonly number[] } {
  const byDay = days.slice(-DAYS).map(({ requests }) => requests);
  return { total: byDay.reduce((sum, requests) => sum + requests, 0), byDay };
}

/** Rounded down, so that it says 100 % only where nothing failed. */
export const percentOf = (part: number, all: number): number => Math.floor((part / all) * 100);
