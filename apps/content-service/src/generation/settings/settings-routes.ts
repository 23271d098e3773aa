import { generationSettingsRequest, modelTestRequest, type generationSettings } from '@blog-content/payload-schemas';
import {
  conflict,
  notFound,
  parseBody,
  requireProjectOwner,
  unprocessable,
  untilClosed,
  queueLasting,
} from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import { Router } from 'express';
import type { z } from 'zod';
import { callerOf } from '../../platform/http/caller.ts';
import { limitWrites } from '../../platform/workload/limit-writes.ts';
import type { BudgetStore } from '../budget/budget-store.ts';
import { JobFailed } from '../jobs/job.ts';
import { toAmount, toMicros } from '../../money.ts';
import { budgetsOf, chooseModel, type PlatformModel } from './choose-model.ts';
import type { GivenModel, Models } from './open-models.ts';
import type { SettingsRow, SettingsStore } from './settings-store.ts';

export interface SettingsRoutesDependencies {
  readonly generationSettings: SettingsStore;
  readonly generationBudgets: Pick<BudgetStore, 'spentThisMonth'>;
  readonly platformModel: PlatformModel;
  readonly modelGuard: Pick<UrlGuard, 'check'>;
  readonly canKeepKeys: boolean;
  readonly testModel: Models['test'];
}

/** Most trials of models at once in this process, and of one project in a minute: each may cost something. */
const MAX_TESTS = 16;
const MAX_TESTS_PER_MINUTE = 10;

const keyGoesNowhereElse = () =>
  unprocessable([
    { field: 'api_key', message: 'is required when you change `base_url`: enter the key again, or null for none' },
  ]);

const toMicrosOrNull = (amount: number | null) => (amount === null ? null : BigInt(toMicros(amount)));
const toTokensOrNull = (tokens: number | null) => (tokens === null ? null : BigInt(tokens));

/** `/generation-settings` of a project, for its owners. */
export function createSettingsRoutes(dependencies: SettingsRoutesDependencies): Router {
  const { generationSettings: settings, generationBudgets, platformModel, modelGuard, canKeepKeys } = dependencies;
  const { testModel } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.get('/generation-settings', requireProjectOwner, async (_req, res) => {
    const { projectId } = callerOf(res);
    res.json(await show(projectId, await settings.find(projectId)));
  });

  routes.put('/generation-settings', requireProjectOwner, async (req, res) => {
    const { projectId } = callerOf(res);
    const {
      base_url: baseUrl,
      api_key: key,
      model,
      image_model: imageModel,
      ...given
    } = parseBody(generationSettingsRequest, req.body);
    if (baseUrl !== null) {
      const verdict = await modelGuard.check(baseUrl);
      if (!verdict.ok) throw unprocessable([{ field: 'base_url', message: verdict.detail }]);
    }
    if (typeof key === 'string' && !canKeepKeys) {
      throw conflict('ENCRYPTION_KEYS is not set, so API keys cannot be stored. Ask the operator of this service.');
    }
    const fields = {
      baseUrl,
      model,
      imageModel,
      inputMicros: BigInt(toMicros(given.input_price)),
      outputMicros: BigInt(toMicros(given.output_price)),
      imageMicros: BigInt(toMicros(given.image_price)),
      jobMicros: toMicrosOrNull(given.job_budget),
      monthMicros: toMicrosOrNull(given.month_budget),
      jobTokens: toTokensOrNull(given.job_tokens),
      monthTokens: toTokensOrNull(given.month_tokens),
    };
    const saved = await settings.save(callerOf(res), fields, key);
    if (saved === 'no_project') throw notFound('Project not found.');
    if (saved === 'other_address') {
      throw keyGoesNowhereElse();
    }
    res.json(await show(projectId, saved));
  });

  routes.post(
    '/generation-settings/test',
    requireProjectOwner,
    limitWrites(MAX_TESTS_PER_MINUTE, (response) => callerOf(response).projectId),
    queueLasting((_req, res) => callerOf(res).projectId, {
      inAll: MAX_TESTS,
      refusal: 'A test of this project’s model is already running.',
    }),
    async (req, res) => {
      const request = parseBody(modelTestRequest, req.body ?? {});
      const given = await givenModel(callerOf(res).projectId, request);
      const tested = await testModel(callerOf(res).projectId, given, untilClosed(res)).catch((error: unknown) => {
        throw error instanceof JobFailed ? conflict(error.message) : error;
      });
      if (tested === null) throw conflict('No AI model is configured.');
      res.json(tested);
    },
  );
  return routes;

  /** The model of the request; null for the one that is saved. @throws a 422 problem. */
  async function givenModel(
    projectId: string,
    { base_url: baseUrl, model, api_key: key }: z.infer<typeof modelTestRequest>,
  ): Promise<GivenModel | null> {
    if (baseUrl === undefined || model === undefined) return null;
    const verdict = await modelGuard.check(baseUrl);
    if (!verdict.ok) throw unprocessable([{ field: 'base_url', message: verdict.detail }]);
    if (key !== undefined) return { baseUrl, model, apiKey: key };
    const row = await settings.find(projectId);
    if (!row?.sealedKey) return { baseUrl, model, apiKey: null };
    if (row.baseUrl !== baseUrl) throw keyGoesNowhereElse();
    return { baseUrl, model, apiKey: settings.keyOf(row) };
  }

  async function show(projectId: string, row: SettingsRow | null): Promise<z.infer<typeof generationSettings>> {
    const chosen = chooseModel(row, platformModel);
    const budgets = budgetsOf(row, chosen.kind, platformModel);
    const spent = await generationBudgets.spentThisMonth(projectId);
    const orNull = (value: bigint | null | undefined, show: (value: bigint) => number) =>
      value == null ? null : show(value);
    return {
      base_url: row?.baseUrl ?? null,
      api_key: row?.sealedKey == null ? null : `…${row.keyHint ?? ''}`,
      model: row?.model ?? null,
      image_model: row?.imageModel ?? null,
      input_price: toAmount(row?.inputMicros ?? 0n),
      output_price: toAmount(row?.outputMicros ?? 0n),
      image_price: toAmount(row?.imageMicros ?? 0n),
      job_budget: orNull(row?.jobMicros, toAmount),
      month_budget: orNull(row?.monthMicros, toAmount),
      job_tokens: orNull(row?.jobTokens, Number),
      month_tokens: orNull(row?.monthTokens, Number),
      writer: chosen.kind,
      effective: {
        model: chosen.kind === 'offline' ? null : chosen.model,
        job_budget: toAmount(budgets.job.micros),
        month_budget: toAmount(budgets.month.micros),
        job_tokens: budgets.job.tokens,
        month_tokens: budgets.month.tokens,
      },
      month: {
        month: spent.month,
        cost: toAmount(spent.micros),
        tokens: spent.tokens,
        renews_at: spent.renewsAt.toISOString(),
      },
    };
  }
}
