import type { GuardedGotOptions } from '@blog-content/url-guard';
import { createChargedModel } from '../budget/charged-model.ts';
import type { Amount, Budgets, BudgetStore, Reservation } from '../budget/budget-store.ts';
import type { GenerationEnvironment } from '../generation-environment.ts';
import type { ClaimedJob } from '../jobs/job.ts';
import { createBoundedFetch } from '../model/bounded-fetch.ts';
import type { LearnedFormat } from '../model/endpoint.ts';
import type { Model } from '../model/model.ts';
import { createOpenAiEndpoint } from '../model/openai-endpoint.ts';
import { createModelWriter } from '../writing/model-writer.ts';
import { createOfflineWriter } from '../writing/offline-writer.ts';
import type { Writer } from '../writing/writer.ts';
import { budgetsOf, chooseModel, type PlatformModel } from './choose-model.ts';
import type { SettingsStore } from './settings-store.ts';

export interface ModelsOptions {
  readonly settings: Pick<SettingsStore, 'find' | 'keyOf'>;
  readonly ledger: Pick<BudgetStore, 'reserve' | 'reserveOfMonth' | 'settle'>;
  readonly platform: PlatformModel;
  /** How strangers' addresses are called. */
  readonly guarded: GuardedGotOptions;
  readonly timeoutMs: number;
  /** Longest silence within an answer. */
  readonly silenceMs: number;
  readonly clock: () => Date;
}

/** The models of jobs. */
export interface Models {
  /** Null where nobody has set one up. */
  modelOf(job: ClaimedJob, signal: AbortSignal): Promise<Model | null>;
  writerOf(job: ClaimedJob, signal: AbortSignal): Promise<Writer>;
  /** For a question of a project beside its jobs: charged to its month alone. */
  modelFor(projectId: string, signal: AbortSignal): Promise<Model | null>;
}

/** Most bytes of an answer that comes as a whole. */
const MAX_MODEL_ANSWER_BYTES = 1024 * 1024;
/** Most bytes of a stream, which wraps each token into some hundred bytes. */
const MAX_MODEL_STREAM_BYTES = 8 * 1024 * 1024;
/** Most bytes of an answer with a picture, which comes as base64 text. */
const MAX_IMAGE_ANSWER_BYTES = 32 * 1024 * 1024;

/** Models of projects whose servers' ways are remembered; the one learned longest ago is forgotten first. */
const MAX_LEARNED_FORMATS = 1_000;

export function createModels(options: ModelsOptions): Models {
  const { settings, ledger, platform, guarded, timeoutMs, silenceMs, clock } = options;
  const offline = createOfflineWriter();
  const formats = new Map<string, LearnedFormat>();
  /** For each project its own: what one project's requests are refused for decides nothing for another. */
  const formatOf = (projectId: string, baseUrl: string, model: string): LearnedFormat => {
    const key = JSON.stringify([projectId, baseUrl, model]);
    const format = formats.get(key) ?? { wayIndex: 0, limitName: 'max_tokens' };
    formats.set(key, format);
    const [oldest] = formats.keys();
    if (oldest !== undefined && formats.size > MAX_LEARNED_FORMATS) formats.delete(oldest);
    return format;
  };

  const open = async (
    projectId: string,
    reserve: (amount: Amount, budgets: Budgets) => Promise<Reservation>,
    signal: AbortSignal,
  ): Promise<Model | null> => {
    const row = await settings.find(projectId);
    const chosen = chooseModel(row, platform);
    if (chosen.kind === 'offline') return null;
    const { baseUrl, model, imageModel, prices } = chosen;
    // The operator's own server may stand in the operator's own network; a project's may not.
    const isOwn = chosen.kind === 'project';
    const bounds = { guarded: isOwn ? guarded : null, timeoutMs, silenceMs, maxStreamBytes: MAX_MODEL_STREAM_BYTES };
    const fetch = (maxAnswerBytes: number) => createBoundedFetch({ ...bounds, maxAnswerBytes });
    const apiKey = isOwn ? (row === null ? null : settings.keyOf(row)) : platform.apiKey;
    const learned = formatOf(projectId, baseUrl, model);
    const common = { baseUrl, apiKey, model, learned, timeoutMs, clock };
    const endpoint = createOpenAiEndpoint({ ...common, imageModel: null, fetch: fetch(MAX_MODEL_ANSWER_BYTES) });
    const drawing = createOpenAiEndpoint({ ...common, imageModel, fetch: fetch(MAX_IMAGE_ANSWER_BYTES) });
    const budgets = budgetsOf(row, chosen.kind, platform);
    return createChargedModel({
      name: model,
      endpoint: { ...endpoint, ...(drawing.draw && { draw: drawing.draw }) },
      ...{ learned, prices, signal },
      reserve: (amount) => reserve(amount, budgets),
      settle: (reservation, spent) => ledger.settle(reservation, spent),
    });
  };
  const modelOf: Models['modelOf'] = (job, signal) =>
    open(job.projectId, (amount, budgets) => ledger.reserve(job, amount, budgets), signal);

  return {
    modelOf,
    modelFor: (projectId, signal) =>
      open(projectId, (amount, { month }) => ledger.reserveOfMonth(projectId, amount, month), signal),
    async writerOf(job, signal) {
      const model = await modelOf(job, signal);
      return model === null ? offline : createModelWriter(model);
    },
  };
}

/** What the environment says of the model for all projects. */
export function platformModelOf(environment: GenerationEnvironment): PlatformModel {
  return {
    baseUrl: environment.MODEL_BASE_URL ?? null,
    apiKey: environment.MODEL_API_KEY ?? null,
    model: environment.MODEL_NAME ?? null,
    imageModel: environment.IMAGE_MODEL_NAME ?? null,
    prices: {
      inputMicros: environment.MODEL_INPUT_PRICE,
      outputMicros: environment.MODEL_OUTPUT_PRICE,
      imageMicros: environment.MODEL_IMAGE_PRICE,
    },
    budgets: {
      job: { micros: environment.GENERATION_JOB_BUDGET, tokens: environment.GENERATION_JOB_TOKENS },
      month: { micros: environment.GENERATION_MONTH_BUDGET, tokens: environment.GENERATION_MONTH_TOKENS },
    },
  };
}
