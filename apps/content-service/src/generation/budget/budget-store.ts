import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { JobFailed, LeaseLost, type ClaimedJob } from '../jobs/job.ts';
import { toAmount } from '../../money.ts';

/** Tokens, and money in millionths. */
export interface Amount {
  readonly tokens: number;
  readonly micros: number;
}

export interface Budgets {
  readonly job: Amount;
  readonly month: Amount;
}

/** What is held for one call of a model. */
export interface Reservation extends Amount {
  /** Null for what is asked beside jobs. */
  readonly jobId: string | null;
  readonly projectId: string;
  /** The month that it counts for. */
  readonly month: string;
}

export interface Spending extends Amount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type BudgetStore = ReturnType<typeof createBudgetStore>;

/**
 * What models may take. A reservation is a charge, written before the call; settling takes back what the call did not
 * use. So whichever process dies, no budget is overdrawn: what a dead process had reserved stays charged.
 */
export function createBudgetStore(database: Database | Transaction, clock: () => Date) {
  return {
    /**
     * @throws JobFailed `budget` beyond what one generation may take, `month_budget` beyond what the month allows;
     * LeaseLost.
     */
    async reserve(
      { id, projectId, leaseToken }: Pick<ClaimedJob, 'id' | 'projectId' | 'leaseToken'>,
      amount: Amount,
      budgets: Budgets,
    ): Promise<Reservation> {
      const [tokens, micros] = [BigInt(amount.tokens), BigInt(amount.micros)];
      const now = clock();
      const month = monthOf(now);
      await database.$transaction(async (tx) => {
        // The month before the job, here and everywhere.
        if (!(await chargeMonth(tx, { projectId, month }, amount, budgets.month))) {
          throw new JobFailed('month_budget', monthUsedUp(budgets.month, now));
        }
        const ofJob = await tx.$executeRaw`
          UPDATE generation_job SET charged_tokens = charged_tokens + ${tokens},
            charged_micros = charged_micros + ${micros}
          WHERE id = ${id}::uuid AND lease_token = ${leaseToken}::uuid
            AND charged_tokens + ${tokens} <= ${BigInt(budgets.job.tokens)}
            AND charged_micros + ${micros} <= least(${BigInt(budgets.job.micros)}, max_micros)`;
        if (ofJob > 0) return;
        const job = await tx.generationJob.findFirst({
          where: { id, leaseToken },
          select: { chargedTokens: true, chargedMicros: true },
        });
        if (job === null) throw new LeaseLost();
        const isOfJob =
          job.chargedTokens + tokens > BigInt(budgets.job.tokens) ||
          job.chargedMicros + micros > BigInt(budgets.job.micros);
        throw isOfJob
          ? new JobFailed('budget', `The budget of this generation is used up: ${show(budgets.job)}.`)
          : new JobFailed('month_budget', 'The autopilot’s budget for this month is used up.');
      });
      return { jobId: id, projectId, month, ...amount };
    },

    /** The same for what is asked beside jobs: of the month's budget alone. @throws JobFailed `month_budget` */
    async reserveOfMonth(projectId: string, amount: Amount, budget: Amount): Promise<Reservation> {
      const now = clock();
      const month = monthOf(now);
      const isCharged = await database.$transaction((tx) => chargeMonth(tx, { projectId, month }, amount, budget));
      if (!isCharged) throw new JobFailed('month_budget', monthUsedUp(budget, now));
      return { jobId: null, projectId, month, ...amount };
    },

    /** To be called once at most for each reservation. More than was reserved counts as all of it. */
    settle: ({ jobId, projectId, month, ...reserved }: Reservation, spent: Spending): Promise<void> =>
      database.$transaction(async (tx) => {
        // Below nothing where more was spent than reserved: then the next reservation may be refused.
        const tokens = BigInt(reserved.tokens - spent.tokens);
        const micros = BigInt(reserved.micros - spent.micros);
        await tx.$executeRaw`
          UPDATE generation_month SET charged_tokens = charged_tokens - ${tokens},
            charged_micros = charged_micros - ${micros},
            input_tokens = input_tokens + ${spent.inputTokens}, output_tokens = output_tokens + ${spent.outputTokens}
          WHERE project_id = ${projectId}::uuid AND month = ${month}`;
        await tx.$executeRaw`
          UPDATE generation_job SET charged_tokens = charged_tokens - ${tokens},
            charged_micros = charged_micros - ${micros},
            input_tokens = input_tokens + ${spent.inputTokens}, output_tokens = output_tokens + ${spent.outputTokens}
          WHERE id = ${jobId}::uuid`;
      }),

    /** What was reserved and spent this month. */
    async spentThisMonth(projectId: string): Promise<Amount & { readonly month: string; readonly renewsAt: Date }> {
      const now = clock();
      const month = monthOf(now);
      const row = await database.generationMonth.findUnique({ where: { projectId_month: { projectId, month } } });
      const { chargedTokens = 0n, chargedMicros = 0n } = row ?? {};
      return { month, renewsAt: nextMonth(now), tokens: Number(chargedTokens), micros: Number(chargedMicros) };
    },
  };
}

/** False, with nothing charged, when that is beyond the budget. */
async function chargeMonth(
  tx: Transaction,
  { projectId, month }: { readonly projectId: string; readonly month: string },
  amount: Amount,
  budget: Amount,
): Promise<boolean> {
  const [tokens, micros] = [BigInt(amount.tokens), BigInt(amount.micros)];
  await tx.$executeRaw`
    INSERT INTO generation_month (project_id, month) VALUES (${projectId}::uuid, ${month}) ON CONFLICT DO NOTHING`;
  const charged = await tx.$executeRaw`
    UPDATE generation_month SET charged_tokens = charged_tokens + ${tokens}, charged_micros = charged_micros + ${micros}
    WHERE project_id = ${projectId}::uuid AND month = ${month}
      AND charged_tokens + ${tokens} <= ${BigInt(budget.tokens)}
      AND charged_micros + ${micros} <= ${BigInt(budget.micros)}`;
  return charged > 0;
}

/** What a budget is, for people. */
export const show = ({ tokens, micros }: Amount): string =>
  `${toAmount(micros).toFixed(2)}, or ${tokens.toLocaleString('en-US')} tokens`;

/** Why nothing more is made this month, for people. */
export const monthUsedUp = (budget: Amount, now: Date): string => {
  const renewal = nextMonth(now).toISOString().slice(0, 10);
  return `The project’s budget for this month is used up: ${show(budget)}. It resets on ${renewal}.`;
};

const monthOf = (now: Date): string => now.toISOString().slice(0, 7);
const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
