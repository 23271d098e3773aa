import { costOf } from '../../money.ts';
import { EndpointFailure, type ModelAnswer, type ModelRequest } from '../model/endpoint.ts';
import type { TokenPrices } from '../../money.ts';
import type { Amount, BudgetStore, Reservation, Spending } from './budget-store.ts';

/** Tokens of a request beside those of its texts: roles, and the schema's own words. */
const REQUEST_TOKENS = 500;
const NOTHING: Spending = { tokens: 0, micros: 0, inputTokens: 0, outputTokens: 0 };

export interface Charging {
  /** Charges whom it works for. @throws JobFailed beyond a budget; LeaseLost. */
  readonly reserve: (amount: Amount) => Promise<Reservation>;
  readonly settle: BudgetStore['settle'];
}

/** A call that is reserved before and settled after. One whose end nobody knows stays charged as reserved. */
async function chargeCall<Result>(
  { reserve, settle }: Charging,
  reserved: Amount,
  call: () => Promise<Result>,
  spentBy: (result: Result) => Spending,
): Promise<Result> {
  const reservation: Reservation = await reserve(reserved);
  let result: Result;
  try {
    result = await call();
  } catch (error) {
    if (error instanceof EndpointFailure && !error.fault.mayBeCharged) await settle(reservation, NOTHING);
    throw error;
  }
  await settle(reservation, spentBy(result));
  return result;
}

/** The same for a question. What it may take at most is known before it: a token is a byte at least. */
export function chargeQuestion(
  charging: Charging,
  prices: TokenPrices,
  { messages, maxTokens }: Pick<ModelRequest, 'messages' | 'maxTokens'>,
  ask: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const inputTokens = REQUEST_TOKENS + messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const reserved = { tokens: inputTokens + maxTokens, micros: costOf(inputTokens, maxTokens, prices) };
  return chargeCall(charging, reserved, ask, ({ usage, text }) => {
    // What the server says, also beyond what was reserved: it was spent. Where it does not say, it is as much as that
    // text can have been.
    const input = usage?.input ?? inputTokens;
    const output = usage?.output ?? Math.min(Buffer.byteLength(text), maxTokens);
    const counted = usage === null ? { inputTokens: 0, outputTokens: 0 } : { inputTokens: input, outputTokens: output };
    return { tokens: input + output, micros: costOf(input, output, prices), ...counted };
  });
}

/** The same for a picture, which has a price of its own. */
export const chargePicture = (charging: Charging, micros: number, draw: () => Promise<Buffer>): Promise<Buffer> =>
  chargeCall(charging, { tokens: 0, micros }, draw, () => ({ ...NOTHING, micros }));
