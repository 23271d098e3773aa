import { integerVariable } from '@blog-content/service-runtime';

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
};
