import { settingsOf } from '../../../autopilot-settings.ts';
import { toAmount } from '../../../money.ts';
import type { ExportedSettings } from './export-store.ts';

/** How the project makes posts and what they hold, by the API’s field names; without the model’s key. */
export function showSettings({
  generation,
  autopilot,
  topics,
  dataFields,
  brandVoice,
}: Omit<ExportedSettings, 'authors'>) {
  return {
    generation: generation && {
      base_url: generation.baseUrl,
      model: generation.model,
      image_model: generation.imageModel,
      input_price: amount(generation.inputMicros),
      output_price: amount(generation.outputMicros),
      image_price: amount(generation.imageMicros),
      job_budget: amount(generation.jobMicros),
      month_budget: amount(generation.monthMicros),
      job_tokens: generation.jobTokens === null ? null : Number(generation.jobTokens),
      month_tokens: generation.monthTokens === null ? null : Number(generation.monthTokens),
    },
    autopilot: autopilot && settingsOf(autopilot),
    autopilot_topics: topics.map(({ topic, keyword, instructions, sources, status }) => ({
      topic,
      keyword,
      instructions,
      sources,
      status,
    })),
    data_fields: dataFields?.document ?? [],
    brand_voice: brandVoice?.document ?? null,
  };
}

const amount = (micros: bigint | null): number | null => (micros === null ? null : toAmount(micros));
