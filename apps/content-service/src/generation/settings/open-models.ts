import type { GuardedGotOptions } from '@blog-content/url-guard';
import { createChargedModel } from '../budget/charged-model.ts';
import type { Amount, Budgets, BudgetStore, Reservation, Spending } from '../budget/budget-store.ts';
import { chargeQuestion } from '../budget/charge-call.ts';
import type { GenerationEnvironment } from '../generation-environment.ts';
import type { ClaimedJob } from '../jobs/job.ts';
import { createBoundedFetch } from '../model/bounded-fetch.ts';
import type { LearnedFormat } from '../model/endpoint.ts';
import type { Model } from '../model/model.ts';
import { createOpenAiEndpoint } from '../model/openai-endpoint.ts';
import { createModelWriter } from '../writing/model-writer.ts';
import { createOfflineWriter } from '../writing/offline-writer.ts';
import type { Writer } from '../writing/writer.ts';
import { budgetsOf, chooseModel, withModel, type PlatformModel } from './choose-model.ts';
import { testModel, type ModelTest } from './model-test.ts';
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
  /**
   * Tries the model of a project, or one that is not saved yet; charged to the month. Null where there is none.
   *
   * @throws JobFailed when the month's budget is used up.
   */
  test(projectId: string, given: GivenModel | null, signal: AbortSignal): Promise<ModelTest | null>;
}

/** A model of a project as its owner gives it, by an address that was checked. */
export interface GivenModel {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | null;
}

/** Most bytes of an answer that comes as a whole. */
const MAX_MODEL_ANSWER_BYTES = 1024 * 1024;
/** Most bytes of a stream, which wraps each token into some hundred bytes. */
const MAX_MODEL_STREAM_BYTES = 8 * 1024 * 1024;
/** Most bytes of an answer with a picture, which comes as base64 text. */
const MAX_IMAGE_ANSWER_BYTES = 32 * 1024 * 1024;

/** Most time of one request that tries a model, in milliseconds: a person waits for it. */
const MAX_TEST_MS = 60_000;

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

  // The operator's own server may stand in the operator's own network; a project's may not.
  const fetchFor = (isOwn: boolean, maxAnswerBytes: number, mostMs = timeoutMs) =>
    createBoundedFetch({
      guarded: isOwn ? guarded : null,
      timeoutMs: mostMs,
      silenceMs,
      maxAnswerBytes,
      maxStreamBytes: MAX_MODEL_STREAM_BYTES,
    });

  const open = async (
    projectId: string,
    reserve: (amount: Amount, budgets: Budgets) => Promise<Reservation>,
    signal: AbortSignal,
  ): Promise<Model | null> => {
    const row = await settings.find(projectId);
    const chosen = chooseModel(row, platform);
    if (chosen.kind === 'offline') return null;
    const { baseUrl, model, imageModel, prices } = chosen;
    const isOwn = chosen.kind === 'project';
    const apiKey = isOwn ? (row === null ? null : settings.keyOf(row)) : platform.apiKey;
    const learned = formatOf(projectId, baseUrl, model);
    const common = { baseUrl, apiKey, model, learned, timeoutMs, clock };
    const fetch = fetchFor(isOwn, MAX_MODEL_ANSWER_BYTES);
    const endpoint = createOpenAiEndpoint({ ...common, imageModel: null, fetch });
    const drawing = createOpenAiEndpoint({ ...common, imageModel, fetch: fetchFor(isOwn, MAX_IMAGE_ANSWER_BYTES) });
    const budgets = budgetsOf(row, chosen.kind, platform);
    return createChargedModel({
      name: model,
      endpoint: { ...endpoint, ...(drawing.draw && { draw: drawing.draw }) },
      learned,
      prices,
      signal,
      reserve: (amount) => reserve(amount, budgets),
      settle: (reservation, spent) => ledger.settle(reservation, spent),
    });
  };

  const test: Models['test'] = async (projectId, given, signal) => {
    const row = await settings.find(projectId);
    const chosen = chooseModel(given === null ? row : withModel(row, given), platform);
    if (chosen.kind === 'offline') return null;
    const isOwn = chosen.kind === 'project';
    const savedKey = () => (isOwn ? (row === null ? null : settings.keyOf(row)) : platform.apiKey);
    const { baseUrl, model, prices } = chosen;
    const endpoint = createOpenAiEndpoint({
      baseUrl,
      model,
      imageModel: null,
      apiKey: given === null ? savedKey() : given.apiKey,
      clock,
      timeoutMs: Math.min(timeoutMs, MAX_TEST_MS),
      learned: { wayIndex: 0, limitName: 'max_tokens' },
      fetch: fetchFor(isOwn, MAX_MODEL_ANSWER_BYTES, Math.min(timeoutMs, MAX_TEST_MS)),
    });
    const { month } = budgetsOf(row, chosen.kind, platform);
    const charging = {
      reserve: (amount: Amount) => ledger.reserveOfMonth(projectId, amount, month),
      settle: (reservation: Reservation, spent: Spending) => ledger.settle(reservation, spent),
    };
    return testModel({
      endpoint,
      charged: (request, ask) => chargeQuestion(charging, prices, request, ask),
      now: () => performance.now(),
      signal,
    });
  };
  const modelOf: Models['modelOf'] = (job, signal) =>
    open(job.projectId, (amount, budgets) => ledger.reserve(job, amount, budgets), signal);

  return {
    modelOf,
    test,
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
