import {
  autopilotRequest,
  type AutopilotReason,
  type AutopilotSettings,
  type ShownAutopilot,
} from '@blog-content/payload-schemas';
import { settingsOf } from '../autopilot-settings.ts';

/** The state of a project's autopilot, as it is stored. */
interface AutopilotRow {
  readonly enabled: boolean;
  readonly settings: unknown;
  readonly state: string;
  readonly reason: string | null;
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly failuresInARow: number;
  readonly month: string;
  readonly monthPosts: number;
  readonly monthMicros: bigint;
}

/** The month of an instant, as counts of a month go by it: `2026-11`, in UTC. */
export const monthOf = (instant: Date): string => instant.toISOString().slice(0, 7);

const MICROS = 1_000_000;

/** What an autopilot is before somebody has set it up. Made when it is asked for: the first time zone costs 16 ms. */
const firstSettings = (): AutopilotSettings =>
  autopilotRequest.parse({ enabled: false, time_zone: 'UTC', days: ['tue', 'thu'], times: ['09:00'] });

/** What the autopilot has done in the month of an instant. */
export function spentIn(row: Pick<AutopilotRow, 'month' | 'monthPosts' | 'monthMicros'>, now: Date) {
  return row.month === monthOf(now) ? { posts: row.monthPosts, micros: row.monthMicros } : { posts: 0, micros: 0n };
}

/** Whether the budget of the month lets another post be made. */
export function hasBudget(settings: AutopilotSettings, spent: { posts: number; micros: bigint }): boolean {
  const { monthly_posts: posts, monthly_cost: cost } = settings;
  return (posts === null || spent.posts < posts) && (cost === null || Number(spent.micros) < cost * MICROS);
}

/** What of the month's cost is left, in millionths; null without such a budget. */
export function leftOf({ monthly_cost: cost }: AutopilotSettings, spent: { micros: bigint }): bigint | null {
  return cost === null ? null : BigInt(Math.floor(cost * MICROS)) - spent.micros;
}

const DETAILS: Readonly<Record<AutopilotReason, string>> = {
  repeated_failure: 'Three posts in a row failed. Check the reasons at the failed topics, then resume the autopilot.',
  empty_queue: 'The queue is empty. Add topics, and the autopilot continues at its next time.',
  budget: 'This month’s budget is used up. The autopilot continues next month, or once you raise the budget.',
};

/** What people are told of a reason. */
export const detailOf = (reason: AutopilotReason): string => DETAILS[reason];

/** An autopilot as members see it; null: nobody has set it up. */
export function showAutopilot(row: AutopilotRow | null, queued: number, now: Date): ShownAutopilot {
  const settings = row === null ? firstSettings() : settingsOf(row);
  const isOn = row?.enabled === true;
  const reason = isOn && row.state !== 'running' ? (row.reason as AutopilotReason | null) : null;
  const spent = row === null ? { posts: 0, micros: 0n } : spentIn(row, now);
  return {
    ...settings,
    status: isOn ? (row.state as ShownAutopilot['status']) : 'off',
    reason,
    detail: reason === null ? null : detailOf(reason),
    next_run_at: row?.nextRunAt?.toISOString() ?? null,
    last_run_at: row?.lastRunAt?.toISOString() ?? null,
    failures_in_a_row: row?.failuresInARow ?? 0,
    queued_topics: queued,
    posts_this_month: spent.posts,
    cost_this_month: Number(spent.micros) / MICROS,
  };
}
