import { secretBoxKeys } from '@blog-content/credentials';
import { integerVariable, secret, urlVariable } from '@blog-content/service-runtime';
import { z } from 'zod';
import { toMicros } from '../money.ts';

/** An amount of money as `12.50`, in millionths. In whatever currency: prices and budgets are in the same one. */
const moneyVariable = (standard: string) =>
  z
    .string()
    .regex(/^\d{1,7}(\.\d{1,6})?$/, 'must be an amount such as 2.50')
    .default(standard)
    .transform((text) => toMicros(Number(text)));

/** What the environment says of generation. */
export const generationEnvironment = {
  GENERATION_SLOTS: integerVariable({ min: 0, max: 64, default: 4 }).describe(
    'Most steps of generations that this process works on at once; 0: none, others do.',
  ),
  GENERATION_LEASE_MS: integerVariable({ min: 500, max: 600_000, default: 30_000 }).describe(
    'How long a step of a generation outlives its process, in milliseconds.',
  ),
  GENERATION_POLL_MS: integerVariable({ min: 50, max: 60_000, default: 1_000 }).describe(
    'How often due steps of generations are looked for, in milliseconds.',
  ),
  MODEL_BASE_URL: urlVariable({ protocols: ['http:', 'https:'], example: 'https://models.example.com/v1' })
    .optional()
    .describe('OpenAI-compatible endpoint that writes for all projects without one of their own; none: outlines only.'),
  MODEL_API_KEY: secret(z.string().min(1).max(1_000)).optional().describe('Its key; none for a server of one’s own.'),
  MODEL_NAME: z.string().min(1).max(200).optional().describe('Its model that writes.'),
  IMAGE_MODEL_NAME: z.string().min(1).max(200).optional().describe('Its model that makes pictures; none: no pictures.'),
  MODEL_INPUT_PRICE: moneyVariable('0').describe('Price of a million tokens that are sent to it.'),
  MODEL_OUTPUT_PRICE: moneyVariable('0').describe('Price of a million tokens that it makes.'),
  MODEL_IMAGE_PRICE: moneyVariable('0').describe('Price of a picture.'),
  MODEL_TIMEOUT_MS: integerVariable({ min: 1_000, max: 600_000, default: 120_000 }).describe(
    'Most time of one request to a model, in milliseconds.',
  ),
  MODEL_SILENCE_MS: integerVariable({ min: 1_000, max: 600_000, default: 60_000 }).describe(
    'Longest silence within a model’s answer that has begun, in milliseconds.',
  ),
  GENERATION_JOB_BUDGET: moneyVariable('1').describe(
    'Most that one generation may cost, unless its project says less.',
  ),
  GENERATION_MONTH_BUDGET: moneyVariable('20').describe('Most that a project may spend in a month, likewise.'),
  GENERATION_JOB_TOKENS: integerVariable({ min: 1_000, max: 100_000_000, default: 300_000 }).describe(
    'Most tokens of one generation, likewise.',
  ),
  GENERATION_MONTH_TOKENS: integerVariable({ min: 1_000, max: 2_000_000_000, default: 10_000_000 }).describe(
    'Most tokens of a project in a month, likewise.',
  ),
  ENCRYPTION_KEYS: secret(secretBoxKeys)
    .optional()
    .describe('Keys that secrets are encrypted with at rest, as id:base64, the first encrypts; none: none are kept.'),
};
export type GenerationEnvironment = Readonly<z.infer<z.ZodObject<typeof generationEnvironment>>>;
