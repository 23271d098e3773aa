import type { BlogGenerateRequest } from '@blog-content/payload-schemas';
import { monthUsedUp, show, type Amount } from '../budget/budget-store.ts';
import { costOf } from '../../money.ts';
import { budgetsOf, chooseModel, type PlatformModel } from './choose-model.ts';
import type { SettingsRow } from './settings-store.ts';

/** Tokens that a word of a post takes, there and back, and what comes to every post. */
const TOKENS_PER_WORD = 2;

/** What a request is judged by. */
export interface BudgetCheck {
  readonly row: SettingsRow | null;
  readonly platform: PlatformModel;
  readonly spent: Amount;
  readonly now: Date;
}

/** Why a post is not begun; null when it may be. The field is null where nothing of the request is why. */
export type PostRefusal = { readonly field: 'length' | null; readonly message: string };

/** Refuses a post of a project that a budget does not allow. */
export type RefusePost = (
  projectId: string,
  request: Pick<BlogGenerateRequest, 'length'>,
) => Promise<PostRefusal | null>;

/** Refuses what is certain to go beyond a budget. Whether the rest does is seen call by call. */
export function refusalOfPost(check: BudgetCheck, { length }: Pick<BlogGenerateRequest, 'length'>): PostRefusal | null {
  const { row, platform, spent, now } = check;
  const chosen = chooseModel(row, platform);
  if (chosen.kind === 'offline') return null;
  const { job, month } = budgetsOf(row, chosen.kind, platform);
  const tokens = length * TOKENS_PER_WORD;
  const micros = costOf(0, tokens, chosen.prices);
  if (spent.tokens + tokens > month.tokens || spent.micros + micros > month.micros) {
    return { field: null, message: monthUsedUp(month, now) };
  }
  if (tokens > job.tokens || micros > job.micros) {
    return { field: 'length', message: `exceeds the budget of one generation: ${show(job)}` };
  }
  return null;
}
