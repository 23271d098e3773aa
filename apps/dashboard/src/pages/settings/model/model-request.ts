import type { GenerationSettings, GenerationSettingsRequest, ModelTestRequest } from '../../../generated/types.gen.ts';
import { numberOf } from '../../../parts/forms/number-of.ts';

/** The fields’ values; a number field gives '' while it is empty. */
interface ModelFields {
  readonly base_url: string;
  readonly api_key: string;
  readonly removeKey: boolean;
  readonly model: string;
  readonly image_model: string;
  readonly input_price: number | string;
  readonly output_price: number | string;
  readonly image_price: number | string;
  readonly job_budget: number | string;
  readonly month_budget: number | string;
  readonly job_tokens: number | string;
  readonly month_tokens: number | string;
}

export type AmountField = keyof ModelFields & `${string}_${'price' | 'budget' | 'tokens'}`;

export function fieldsOf(settings: GenerationSettings): ModelFields {
  return {
    base_url: settings.base_url ?? '',
    api_key: '',
    removeKey: false,
    model: settings.model ?? '',
    image_model: settings.image_model ?? '',
    input_price: settings.input_price,
    output_price: settings.output_price,
    image_price: settings.image_price,
    job_budget: settings.job_budget ?? '',
    month_budget: settings.month_budget ?? '',
    job_tokens: settings.job_tokens ?? '',
    month_tokens: settings.month_tokens ?? '',
  };
}

/** The call that saves them. It replaces everything but the key, which stays unless one is given or it is removed. */
export function requestOf(fields: ModelFields): GenerationSettingsRequest {
  const { api_key: apiKey, removeKey } = fields;
  return {
    base_url: wordOf(fields.base_url),
    ...(removeKey ? { api_key: null } : apiKey.trim() !== '' && { api_key: apiKey.trim() }),
    model: wordOf(fields.model),
    image_model: wordOf(fields.image_model),
    input_price: numberOf(fields.input_price) ?? 0,
    output_price: numberOf(fields.output_price) ?? 0,
    image_price: numberOf(fields.image_price) ?? 0,
    job_budget: numberOf(fields.job_budget),
    month_budget: numberOf(fields.month_budget),
    job_tokens: numberOf(fields.job_tokens),
    month_tokens: numberOf(fields.month_tokens),
  };
}

/** What tries the model of the form. Without an address it is the model that writes now. */
export function testRequestOf(fields: ModelFields): ModelTestRequest {
  const { base_url, model, api_key } = requestOf(fields);
  if (base_url === null || base_url === undefined) return {};
  return { base_url, ...(model != null && { model }), ...(api_key !== undefined && { api_key }) };
}

const wordOf = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());
