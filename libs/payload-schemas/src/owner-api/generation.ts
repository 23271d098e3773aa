import { z } from 'zod';
import { givenHttpUrl, label, MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

/** Limits of one request to generate a post. */
export const GENERATION_LIMITS = {
  sources: 10,
  sourceLength: 50_000,
  headings: 20,
  instructionsLength: 4_000,
  minWords: 200,
  maxWords: 5_000,
} as const;

/** Something to write from: an address that is read, or text. */
export const generationSource = z.union([
  z.object({ url: givenHttpUrl.describe('URL of a web page. Its text is extracted.') }),
  z.object({
    title: label.optional().describe('Title of the source.'),
    text: z.string().trim().min(1).max(GENERATION_LIMITS.sourceLength).describe('Text of the source.'),
  }),
]);
export type GenerationSource = z.infer<typeof generationSource>;

/** What is to be written, and from what. */
export const blogGenerateRequest = z.object({
  topic: label.describe('The topic of the post.'),
  keyword: label
    .optional()
    .describe('Focus keyword. If omitted, the model chooses one; without a model there is none.'),
  audience: z.string().trim().max(MAX_SHORT_TEXT).optional().describe('The intended readers.'),
  tone: z.string().trim().max(MAX_SHORT_TEXT).optional().describe('The tone of voice.'),
  length: z
    .int()
    .min(GENERATION_LIMITS.minWords)
    .max(GENERATION_LIMITS.maxWords)
    .default(1_000)
    .describe('Approximate length in words.'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .max(35)
    .default('en')
    .describe('Language tag (RFC 5646).'),
  outline: z.array(label).min(1).max(GENERATION_LIMITS.headings).optional().describe('Section headings.'),
  instructions: z
    .string()
    .trim()
    .max(GENERATION_LIMITS.instructionsLength)
    .optional()
    .describe('Extra instructions for the writer.'),
  sources: z
    .array(generationSource)
    .max(GENERATION_LIMITS.sources)
    .default([])
    .describe('Sources to write from. They are treated as data, never as instructions.'),
  pictures: z.boolean().default(false).describe('Whether to generate an image, if an image model is configured.'),
});
export type BlogGenerateRequest = z.infer<typeof blogGenerateRequest>;

export const generationStatus = z.enum(['waiting', 'running', 'succeeded', 'failed', 'cancelled']);

/** What a post goes through, in this order. */
export const generationStep = z.enum(['outline', 'sections', 'links', 'meta', 'pictures', 'checks']);
export type GenerationStep = z.infer<typeof generationStep>;

export const generationKind = z.enum(['post', 'proposal']);

/** What narrows a list of generations. */
export const generationListQuery = z.object({
  blog_id: z.uuid().optional().describe('Filter by post: its generation and its proposals.'),
  kind: generationKind.optional().describe('Filter by kind.'),
});

/** A generation in lists. */
export const generationItem = z.object({
  id: z.uuid(),
  kind: generationKind.describe('What is generated: a post, or a proposal for an existing post.'),
  status: generationStatus.describe('Status of the generation.'),
  step: z.string().describe('Current or last step.'),
  steps_done: z.int().describe('Steps completed.'),
  steps: z.int().describe('Total steps.'),
  topic: z.string().describe('Topic of the post.'),
  origin: z.string().nullable().describe('What started it, if not a request by a person or an agent.'),
  writer: z.string().nullable().describe('The model, or `offline`; null before the first step.'),
  input_tokens: z.int().describe('Input tokens.'),
  output_tokens: z.int().describe('Output tokens.'),
  cost: z.number().describe('Cost so far, at the prices in the settings.'),
  blog_id: z.uuid().nullable().describe('ID of the new draft, or of the post the proposal is for.'),
  proposal_id: z.uuid().nullable().describe('ID of the resulting proposal.'),
  failure: z
    .object({
      code: z.string().describe('Machine-readable reason.'),
      message: z.string().describe('Human-readable reason.'),
    })
    .nullable()
    .describe('Why it failed.'),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});

/** What a reviewer should know of a draft that was generated. */
export const generationReport = z.object({
  sources: z
    .array(
      z.object({
        number: z.int(),
        title: z.string(),
        url: z.string().nullable(),
        status: z.enum(['used', 'unused', 'unreadable']).describe('Whether the source was readable and used.'),
        detail: z.string().nullable().describe('Why it could not be read.'),
        sections: z.array(z.string()).describe('Headings of the sections based on it.'),
      }),
    )
    .describe('The sources and where they were used.'),
  links: z
    .array(z.object({ slug: z.string(), title: z.string(), anchor: z.string() }))
    .describe('Internal links that were added.'),
  length: z.object({ asked: z.int(), words: z.int() }).describe('Requested and actual number of words.'),
  readability: z
    .object({
      sentences: z.int(),
      words_per_sentence: z.number(),
      long_sentences: z.int().describe('Sentences over 25 words.'),
    })
    .describe('Readability of the text.'),
  keyword_use: z
    .object({
      keyword: z.string(),
      count: z.int().describe('Number of occurrences in the text.'),
      in_title: z.boolean(),
      in_headings: z.boolean(),
      in_first_paragraph: z.boolean(),
    })
    .describe('Where the focus keyword appears.'),
  cut: z.array(z.string()).describe('What was removed from the generated text, and why.'),
  similar: z
    .array(z.object({ blog_id: z.uuid(), title: z.string(), slug: z.string() }))
    .describe('Posts in the project with a similar title or topic.'),
  unsupported: z
    .array(
      z.object({
        section: z.string(),
        sentence: z.string(),
        because: z.array(z.enum(['figure', 'name', 'claim'])).describe('What no source supports.'),
      }),
    )
    .describe('Sentences with figures, names or claims that no source supports. Check them.'),
});
export type GenerationReport = z.infer<typeof generationReport>;

/** A generation with its report. */
export const generation = generationItem.extend({
  report: generationReport
    .nullable()
    .describe('Report for the reviewer; null until there is a draft and after it is deleted.'),
});

const price = z.number().min(0).max(1_000_000);
const budget = z.number().min(0).max(1_000_000).nullable();
const tokens = z.int().min(0).max(2_000_000_000).nullable();
const modelName = z.string().trim().min(1).max(200).nullable();

const modelKey = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[!-~]+$/)
  .nullable()
  .optional();

/** Which model writes for a project: all of it at once. */
export const generationSettingsRequest = z
  .object({
    base_url: givenHttpUrl
      .nullable()
      .default(null)
      .describe('OpenAI-compatible endpoint, up to `/v1`. Null: the platform’s.'),
    api_key: modelKey.describe('API key. Stored encrypted, never returned. If omitted, the saved key is kept.'),
    model: modelName.default(null).describe('Name of the model. Required with base_url.'),
    image_model: modelName.default(null).describe('Name of the image model. Null: no images.'),
    input_price: price.default(0).describe('Price per million input tokens.'),
    output_price: price.default(0).describe('Price per million output tokens.'),
    image_price: price.default(0).describe('Price per image.'),
    job_budget: budget.default(null).describe('Maximum cost per generation. Null: the platform’s limit.'),
    month_budget: budget.default(null).describe('Monthly budget. Null: the platform’s limit.'),
    job_tokens: tokens.default(null).describe('Maximum tokens per generation. Null: the platform’s limit.'),
    month_tokens: tokens.default(null).describe('Maximum tokens per month. Null: the platform’s limit.'),
  })
  .refine(({ base_url: url, model }) => (url === null) === (model === null), {
    path: ['model'],
    message: 'requires base_url: give both, or null for both',
  });

/** A model to be tried: the one that is saved, or one that is not saved yet. */
export const modelTestRequest = z
  .object({
    base_url: givenHttpUrl.optional().describe('As in the settings. If omitted, the current model is tested.'),
    api_key: modelKey.describe('If omitted, the key saved for this URL is used, if any.'),
    model: modelName.unwrap().optional().describe('Required with base_url.'),
  })
  .refine(({ base_url: url, model }) => (url === undefined) === (model === undefined), {
    path: ['model'],
    message: 'requires base_url: give both or neither',
  })
  .refine(({ base_url: url, api_key: key }) => url !== undefined || key === undefined, {
    path: ['api_key'],
    message: 'requires base_url: give both',
  });

/** What a model answered when it was tried. */
export const modelTest = z.object({
  succeeded: z.boolean().describe('Whether generations can use the model.'),
  status_code: z.int().nullable().describe('HTTP status of the response; null if none.'),
  total_ms: z.int().describe('Total duration of all requests.'),
  model: z.string().nullable().describe('Model name in the response.'),
  answer: z.string().nullable().describe('First 300 characters of the response. Secrets are masked.'),
  structured_output: z
    .enum(['schema', 'object', 'none'])
    .nullable()
    .describe(
      'Which `response_format` works: `schema` (type `json_schema`), `object` (type `json_object`) or `none`. Null without a response.',
    ),
  streams: z.boolean().nullable().describe('Whether the response was streamed. Both forms work.'),
  detail: z.string().nullable().describe('Why the model cannot be used.'),
});

/** Who writes for a project, and what that has cost. */
export const generationSettings = z.object({
  base_url: z.string().nullable(),
  api_key: z.string().nullable().describe('Last characters of the key; null if none.'),
  model: z.string().nullable(),
  image_model: z.string().nullable(),
  input_price: z.number(),
  output_price: z.number(),
  image_price: z.number(),
  job_budget: z.number().nullable(),
  month_budget: z.number().nullable(),
  job_tokens: z.int().nullable(),
  month_tokens: z.int().nullable(),
  writer: z
    .enum(['project', 'platform', 'offline'])
    .describe('Who writes: the project’s model, the platform’s, or none. Without a model, drafts are outlines.'),
  effective: z
    .object({
      model: z.string().nullable(),
      job_budget: z.number(),
      month_budget: z.number(),
      job_tokens: z.int(),
      month_tokens: z.int(),
    })
    .describe('The limits in effect, including the platform’s.'),
  month: z
    .object({
      month: z.string().describe('The month in UTC.'),
      cost: z.number().describe('Spent and reserved cost.'),
      tokens: z.int().describe('Used and reserved tokens.'),
      renews_at: timestamp.describe('When the monthly budget resets.'),
    })
    .describe('Usage this month.'),
});

export const proposalKind = z.enum([
  'rewrite_section',
  'shorten',
  'translate',
  'titles',
  'meta',
  'tags',
  'links',
  'alt_text',
]);
export type ProposalKind = z.infer<typeof proposalKind>;

/** What of a post is to be made better. */
export const proposalRequest = z
  .object({
    kind: proposalKind.describe('Kind of proposal. `translate` creates a new draft; all others change the post.'),
    heading: label.optional().describe('Heading of the section. Required for `rewrite_section`.'),
    language: blogGenerateRequest.shape.language
      .removeDefault()
      .optional()
      .describe('Target language. Required for `translate`.'),
    length: z
      .int()
      .min(50)
      .max(GENERATION_LIMITS.maxWords)
      .optional()
      .describe('Approximate target length in words, for `shorten`. Defaults to half.'),
    instructions: blogGenerateRequest.shape.instructions,
  })
  .refine(({ kind, heading }) => kind !== 'rewrite_section' || heading !== undefined, {
    path: ['heading'],
    message: 'is required for `rewrite_section`',
  })
  .refine(({ kind, language }) => kind !== 'translate' || language !== undefined, {
    path: ['language'],
    message: 'is required for `translate`',
  });
export type ProposalRequest = z.infer<typeof proposalRequest>;

export const proposalStatus = z.enum(['open', 'accepted', 'rejected']);

/** A proposal in lists. */
export const proposalItem = z.object({
  id: z.uuid(),
  blog_id: z.uuid(),
  generation_id: z.uuid(),
  kind: proposalKind.describe('Kind of proposal.'),
  status: proposalStatus.describe('Status of the proposal.'),
  base_version: z.int().describe('Version of the post it was made for. It can only be accepted for that version.'),
  choices: z.array(z.string()).describe('Titles to choose from; empty if there is only one.'),
  notes: z.array(z.string()).describe('Notes for the reviewer.'),
  new_blog_id: z.uuid().nullable().describe('ID of the draft created by a translation.'),
  created_at: timestamp,
  settled_at: timestamp.nullable().describe('When it was accepted or rejected.'),
  settled_by: z.uuid().nullable().describe('The account or agent key that accepted or rejected it.'),
});

/** A proposal with what it would change. */
export const proposal = proposalItem.extend({
  fields: z
    .array(z.object({ field: z.string(), before: z.json(), after: z.json() }))
    .describe('Fields that would change, without the content.'),
  content: z
    .array(z.object({ change: z.enum(['same', 'added', 'removed']), html: z.string() }))
    .describe('The content in pieces, as in revision comparisons.'),
});

export const proposalAcceptRequest = z.object({
  choice: z.int().min(0).max(20).default(0).describe('Index of the chosen option, from 0.'),
});
