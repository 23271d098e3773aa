import { secretBoxKeys } from '@blog-content/credentials';
import { integerVariable, secret, urlVariable } from '@blog-content/service-runtime';
import { z } from 'zod';
import { toMicros } from '../money.ts';

/** An amount of money as `12.50`, in millionths. In any currency: prices and budgets are in the same one. */
const moneyVariable = (standard: string) =>
  z
    .string()
    .regex(/^\d{1,7}(\.\d{1,6})?$/, 'must be an amount such as 2.50')
    .default(standard)
    .transform((text) => toMicros(Number(text)));

/** What the environment says of generation. */
export const generationEnvironment = {
  GENERATION_SLOTS: integerVariable({ min: 0, max: 64, default: 4 }).describe(
    'Maximum concurrent generation steps in this process, and eight times as many slow ones. 0 leaves them to others.',
  ),
  GENERATION_LEASE_MS: integerVariable({ min: 500, max: 600_000, default: 30_000 }).describe(
    'How long a generation step outlives its process, in milliseconds.',
  ),
  MODEL_BASE_URL: urlVariable({ protocols: ['http:', 'https:'], example: 'https://models.example.com/v1' })
    .optional()
    .describe('OpenAI-compatible endpoint for projects without their own. If unset, they get outlines only.'),
  MODEL_API_KEY: secret(z.string().min(1).max(1_000))
    .optional()
    .describe('API key of the endpoint. Leave empty for a server of your own.'),
  MODEL_NAME: z.string().min(1).max(200).optional().describe('Model that writes.'),
  IMAGE_MODEL_NAME: z.string().min(1).max(200).optional().describe('Model that makes images. If unset, none are made.'),
  MODEL_INPUT_PRICE: moneyVariable('0').describe('Price per million input tokens, such as 2.50.'),
  MODEL_OUTPUT_PRICE: moneyVariable('0').describe('Price per million output tokens.'),
  MODEL_IMAGE_PRICE: moneyVariable('0').describe('Price per image.'),
  MODEL_TIMEOUT_MS: integerVariable({ min: 1_000, max: 600_000, default: 120_000 }).describe(
    'Timeout of one model request, in milliseconds.',
  ),
  MODEL_SILENCE_MS: integerVariable({ min: 1_000, max: 600_000, default: 60_000 }).describe(
    'Maximum pause within a streamed response, in milliseconds.',
  ),
  GENERATION_JOB_BUDGET: moneyVariable('1').describe('Maximum cost per generation. A project can set a lower one.'),
  GENERATION_MONTH_BUDGET: moneyVariable('20').describe('Monthly budget per project. A project can set a lower one.'),
  GENERATION_JOB_TOKENS: integerVariable({ min: 1_000, max: 100_000_000, default: 300_000 }).describe(
    'Maximum tokens per generation. A project can set a lower one.',
  ),
  GENERATION_MONTH_TOKENS: integerVariable({ min: 1_000, max: 2_000_000_000, default: 10_000_000 }).describe(
    'Maximum tokens per project and month. A project can set a lower one.',
  ),
  ENCRYPTION_KEYS: secret(secretBoxKeys)
    .optional()
    .describe(
      'Keys that encrypt projects’ model API keys at rest, as id:base64 pairs. If unset, projects can’t store one.',
    ),
};
export type GenerationEnvironment = Readonly<z.infer<z.ZodObject<typeof generationEnvironment>>>;
