import type { Amount, Budgets } from '../budget/budget-store.ts';
import type { Prices } from '../budget/charged-model.ts';
import type { SettingsRow } from './settings-store.ts';

/** What the operator has set up for all projects. */
export interface PlatformModel {
  /** Null: there is none. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly model: string | null;
  readonly imageModel: string | null;
  readonly prices: Prices;
  readonly budgets: Budgets;
}

/** Who writes for a project. */
export type ChosenModel =
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'platform' | 'project';
      readonly baseUrl: string;
      readonly model: string;
      readonly imageModel: string | null;
      readonly prices: Prices;
    };

/** What of a project's settings names its model. */
type ModelRow = Pick<SettingsRow, 'baseUrl' | 'model' | 'imageModel' | 'inputMicros' | 'outputMicros' | 'imageMicros'>;

/** Settings with another model, by the prices that they have. */
export const withModel = (
  row: ModelRow | null,
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
): ModelRow => ({
  imageModel: null,
  inputMicros: 0n,
  outputMicros: 0n,
  imageMicros: 0n,
  ...row,
  baseUrl,
  model,
});

/** The project's own model, else the platform's, else none. */
export function chooseModel(row: ModelRow | null, platform: PlatformModel): ChosenModel {
  if (row !== null && row.baseUrl !== null && row.model !== null) {
    const { baseUrl, model, imageModel } = row;
    const prices = {
      inputMicros: Number(row.inputMicros),
      outputMicros: Number(row.outputMicros),
      imageMicros: Number(row.imageMicros),
    };
    return { kind: 'project', baseUrl, model, imageModel, prices };
  }
  const { baseUrl, model, imageModel, prices } = platform;
  if (baseUrl === null || model === null) return { kind: 'offline' };
  return { kind: 'platform', baseUrl, model, imageModel, prices };
}

/** Of the platform's model a project can only take less than the operator allows; its own it pays itself. */
export function budgetsOf(row: SettingsRow | null, kind: ChosenModel['kind'], platform: PlatformModel): Budgets {
  const allowed = (given: bigint | null | undefined, standard: number) => {
    if (given == null) return standard;
    return kind === 'project' ? Number(given) : Math.min(Number(given), standard);
  };
  const amount = (micros: bigint | null | undefined, tokens: bigint | null | undefined, standard: Amount): Amount => ({
    micros: allowed(micros, standard.micros),
    tokens: allowed(tokens, standard.tokens),
  });
  return {
    job: amount(row?.jobMicros, row?.jobTokens, platform.budgets.job),
    month: amount(row?.monthMicros, row?.monthTokens, platform.budgets.month),
  };
}
