import type { GenerationSettings, GenerationSettingsRequest } from '../../generated/types.gen.ts';

/** What stands in the fields; a number field gives '' while it is empty. */
export interface ModelFields {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly removeKey: boolean;
  readonly model: string;
  readonly imageModel: string;
  readonly inputPrice: number | string;
  readonly outputPrice: number | string;
  readonly imagePrice: number | string;
  readonly jobBudget: number | string;
  readonly monthBudget: number | string;
  readonly jobTokens: number | string;
  readonly monthTokens: number | string;
}

export function fieldsOf(settings: GenerationSettings): ModelFields {
  return {
    baseUrl: settings.base_url ?? '',
    apiKey: '',
    removeKey: false,
    model: settings.model ?? '',
    imageModel: settings.image_model ?? '',
    inputPrice: settings.input_price,
    outputPrice: settings.output_price,
    imagePrice: settings.image_price,
    jobBudget: settings.job_budget ?? '',
    monthBudget: settings.month_budget ?? '',
    jobTokens: settings.job_tokens ?? '',
    monthTokens: settings.month_tokens ?? '',
  };
}

/** The call that saves them. It replaces everything but the key, which stays unless one is given or it is removed. */
export function requestOf(fields: ModelFields): GenerationSettingsRequest {
  const { apiKey, removeKey } = fields;
  return {
    base_url: wordOf(fields.baseUrl),
    ...(removeKey ? { api_key: null } : apiKey.trim() !== '' && { api_key: apiKey.trim() }),
    model: wordOf(fields.model),
    image_model: wordOf(fields.imageModel),
    input_price: numberOf(fields.inputPrice) ?? 0,
    output_price: numberOf(fields.outputPrice) ?? 0,
    image_price: numberOf(fields.imagePrice) ?? 0,
    job_budget: numberOf(fields.jobBudget),
    month_budget: numberOf(fields.monthBudget),
    job_tokens: numberOf(fields.jobTokens),
    month_tokens: numberOf(fields.monthTokens),
  };
}

const wordOf = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

function numberOf(typed: number | string): number | null {
  if (typeof typed === 'number') return typed;
  return typed.trim() === '' ? null : Number(typed);
}
