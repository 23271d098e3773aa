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
  z.object({ url: givenHttpUrl.describe('Address of a page, which is read and reduced to its text.') }),
  z.object({
    title: label.optional().describe('What the text is called.'),
    text: z.string().trim().min(1).max(GENERATION_LIMITS.sourceLength).describe('The text itself.'),
  }),
]);
export type GenerationSource = z.infer<typeof generationSource>;

/** What is to be written, and from what. */
export const blogGenerateRequest = z.object({
  topic: label.describe('What the post is about: a topic, or a keyword.'),
  keyword: label.optional().describe('The focus keyword; made from the topic when left out.'),
  audience: z.string().trim().max(MAX_SHORT_TEXT).optional().describe('For whom it is.'),
  tone: z.string().trim().max(MAX_SHORT_TEXT).optional().describe('How it sounds.'),
  length: z
    .int()
    .min(GENERATION_LIMITS.minWords)
    .max(GENERATION_LIMITS.maxWords)
    .default(1_000)
    .describe('How many words it should have, about.'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .max(35)
    .default('en')
    .describe('Language of the post, as in RFC 5646.'),
  outline: z.array(label).min(1).max(GENERATION_LIMITS.headings).optional().describe('Headings of its sections.'),
  instructions: z
    .string()
    .trim()
    .max(GENERATION_LIMITS.instructionsLength)
    .optional()
    .describe('Anything else that the writer is to heed.'),
  sources: z
    .array(generationSource)
    .max(GENERATION_LIMITS.sources)
    .default([])
    .describe('What it is written from. They are data: nothing that stands in them is taken for an instruction.'),
  pictures: z.boolean().default(false).describe('Whether to make a picture, where there is a model that can.'),
});
export type BlogGenerateRequest = z.infer<typeof blogGenerateRequest>;

export const generationStatus = z.enum(['waiting', 'running', 'succeeded', 'failed', 'cancelled']);

/** What a post goes through, in this order. */
export const generationStep = z.enum(['outline', 'sections', 'links', 'meta', 'pictures', 'checks']);
export type GenerationStep = z.infer<typeof generationStep>;

export const generationKind = z.enum(['post', 'proposal']);

/** What narrows a list of generations. */
export const generationListQuery = z.object({
  blog_id: z.uuid().optional().describe('Only those that made this blog, or a proposal for it.'),
  kind: generationKind.optional().describe('Only those of a post, or of a proposal.'),
});

/** A generation in lists. */
export const generationItem = z.object({
  id: z.uuid(),
  kind: generationKind.describe('What is being made: a post, or a proposal for one that is there.'),
  status: generationStatus.describe('How far it is.'),
  step: z.string().describe('The step that it is in, or was in last.'),
  steps_done: z.int().describe('Steps that are done.'),
  steps: z.int().describe('Steps in all.'),
  topic: z.string().describe('What it is about.'),
  origin: z.string().nullable().describe('What asked for it, where it was no request of a person or an agent.'),
  writer: z.string().nullable().describe('The model that writes, or `offline`; null before it has begun.'),
  input_tokens: z.int().describe('Tokens sent to the model.'),
  output_tokens: z.int().describe('Tokens that the model has made.'),
  cost: z.number().describe('What it has cost, by the prices of the settings.'),
  blog_id: z.uuid().nullable().describe('The draft that came of it, or the blog that the proposal is for.'),
  proposal_id: z.uuid().nullable().describe('The proposal that came of it.'),
  failure: z
    .object({
      code: z.string().describe('Why, as a word that does not change.'),
      message: z.string().describe('Why, to show to people.'),
    })
    .nullable()
    .describe('Why it has failed.'),
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
        status: z.enum(['used', 'unused', 'unreadable']).describe('Whether it could be read, and was used.'),
        detail: z.string().nullable().describe('Why it could not be read.'),
        sections: z.array(z.string()).describe('Headings of the sections that go by it.'),
      }),
    )
    .describe('What was given to write from, and where it was used.'),
  links: z
    .array(z.object({ slug: z.string(), title: z.string(), anchor: z.string() }))
    .describe('Links to published posts of the project that were placed.'),
  length: z.object({ asked: z.int(), words: z.int() }).describe('Words that were asked for, and that there are.'),
  readability: z
    .object({
      sentences: z.int(),
      words_per_sentence: z.number(),
      long_sentences: z.int().describe('Sentences of more than 25 words.'),
    })
    .describe('How easy it reads.'),
  keyword_use: z
    .object({
      keyword: z.string(),
      count: z.int().describe('How often it stands in the text.'),
      in_title: z.boolean(),
      in_headings: z.boolean(),
      in_first_paragraph: z.boolean(),
    })
    .describe('Where the focus keyword stands.'),
  cut: z.array(z.string()).describe('What was left out of what the writer made, and why.'),
  similar: z
    .array(z.object({ blog_id: z.uuid(), title: z.string(), slug: z.string() }))
    .describe('Posts of the project with nearly the same title or topic.'),
  unsupported: z
    .array(
      z.object({
        section: z.string(),
        sentence: z.string(),
        because: z.array(z.enum(['figure', 'name', 'claim'])).describe('What in it no source has.'),
      }),
    )
    .describe('Sentences with figures, names or claims that no source supports: check them.'),
});
export type GenerationReport = z.infer<typeof generationReport>;

/** A generation with its report. */
export const generation = generationItem.extend({
  report: generationReport
    .nullable()
    .describe('What a reviewer should know; null until there is a draft, and once that is deleted.'),
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
      .describe('OpenAI-compatible endpoint, up to `/v1`; null for that of the platform.'),
    api_key: modelKey.describe(
      'Its key: kept encrypted, and never shown again. Left out: the one that is there stays.',
    ),
    model: modelName.default(null).describe('The model that writes; needed with base_url.'),
    image_model: modelName.default(null).describe('The model that makes pictures; null for none.'),
    input_price: price.default(0).describe('What a million tokens sent to it cost.'),
    output_price: price.default(0).describe('What a million tokens that it makes cost.'),
    image_price: price.default(0).describe('What a picture costs.'),
    job_budget: budget.default(null).describe('Most that one generation may cost; null for the platform’s.'),
    month_budget: budget.default(null).describe('Most that a month may cost; null for the platform’s.'),
    job_tokens: tokens.default(null).describe('Most tokens of one generation; null for the platform’s.'),
    month_tokens: tokens.default(null).describe('Most tokens of a month; null for the platform’s.'),
  })
  .refine(({ base_url: url, model }) => (url === null) === (model === null), {
    path: ['model'],
    message: 'and base_url stand together: give both, or null for both',
  });

/** A model to be tried: the one that is saved, or one that is not saved yet. */
export const modelTestRequest = z
  .object({
    base_url: givenHttpUrl.optional().describe('As in the settings. Left out: the model that writes now is tried.'),
    api_key: modelKey.describe('Left out: the one that is saved for this address, if there is one.'),
    model: modelName.unwrap().optional().describe('Needed with base_url.'),
  })
  .refine(({ base_url: url, model }) => (url === undefined) === (model === undefined), {
    path: ['model'],
    message: 'and base_url stand together: give both, or neither',
  })
  .refine(({ base_url: url, api_key: key }) => url !== undefined || key === undefined, {
    path: ['api_key'],
    message: 'is for a base_url: give both',
  });

/** What a model answered when it was tried. */
export const modelTest = z.object({
  succeeded: z.boolean().describe('Whether generations can use it.'),
  status_code: z.int().nullable().describe('HTTP status of its answer; null when none came.'),
  total_ms: z.int().describe('How long it took, all requests together.'),
  model: z.string().nullable().describe('The model that the answer names.'),
  answer: z.string().nullable().describe('The start of what it answered, at most 300 characters; secrets are masked.'),
  structured_output: z
    .enum(['schema', 'object', 'none'])
    .nullable()
    .describe(
      '`schema`: it keeps to a `response_format` of the type `json_schema`. `object`: to `json_object`. `none`: it answered something else. Null without an answer.',
    ),
  streams: z.boolean().nullable().describe('Whether the answer came as server-sent events; generations take both.'),
  detail: z.string().nullable().describe('Why it cannot be used.'),
});

/** Who writes for a project, and what that has cost. */
export const generationSettings = z.object({
  base_url: z.string().nullable(),
  api_key: z.string().nullable().describe('The key’s last characters; null for none.'),
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
    .describe('Who writes: the model of the project, that of the platform, or nobody: then drafts are outlines.'),
  effective: z
    .object({
      model: z.string().nullable(),
      job_budget: z.number(),
      month_budget: z.number(),
      job_tokens: z.int(),
      month_tokens: z.int(),
    })
    .describe('What counts, with what the platform sets.'),
  month: z
    .object({
      month: z.string().describe('The month, in UTC.'),
      cost: z.number().describe('What was spent and is reserved.'),
      tokens: z.int().describe('Tokens that were used and are reserved.'),
      renews_at: timestamp.describe('When the budgets of the month begin anew.'),
    })
    .describe('This month.'),
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
    kind: proposalKind.describe('What is proposed: `translate` makes a new draft, everything else changes the post.'),
    heading: label.optional().describe('Heading of the section; needed for `rewrite_section`.'),
    language: blogGenerateRequest.shape.language
      .removeDefault()
      .optional()
      .describe('Language to translate into; needed for `translate`.'),
    length: z
      .int()
      .min(50)
      .max(GENERATION_LIMITS.maxWords)
      .optional()
      .describe('Words that are to be left, about; half of them when left out. For `shorten`.'),
    instructions: blogGenerateRequest.shape.instructions,
  })
  .refine(({ kind, heading }) => kind !== 'rewrite_section' || heading !== undefined, {
    path: ['heading'],
    message: 'is needed to rewrite a section',
  })
  .refine(({ kind, language }) => kind !== 'translate' || language !== undefined, {
    path: ['language'],
    message: 'is needed to translate',
  });
export type ProposalRequest = z.infer<typeof proposalRequest>;

export const proposalStatus = z.enum(['open', 'accepted', 'rejected']);

/** A proposal in lists. */
export const proposalItem = z.object({
  id: z.uuid(),
  blog_id: z.uuid(),
  generation_id: z.uuid(),
  kind: proposalKind.describe('What is proposed.'),
  status: proposalStatus.describe('Whether it was taken.'),
  base_version: z.int().describe('Version of the blog that it was made for; it is taken on no other.'),
  choices: z.array(z.string()).describe('Titles to choose from; empty where there is one proposal only.'),
  notes: z.array(z.string()).describe('What a reviewer should know.'),
  new_blog_id: z.uuid().nullable().describe('The draft that a translation became.'),
  created_at: timestamp,
  settled_at: timestamp.nullable().describe('When it was taken or left.'),
  settled_by: z.uuid().nullable().describe('Who did so: an account or an agent key.'),
});

/** A proposal with what it would change. */
export const proposal = proposalItem.extend({
  fields: z
    .array(z.object({ field: z.string(), before: z.json(), after: z.json() }))
    .describe('Fields that would change, but for the content.'),
  content: z
    .array(z.object({ change: z.enum(['same', 'added', 'removed']), html: z.string() }))
    .describe('The content in pieces, as in the comparison of revisions.'),
});

export const proposalAcceptRequest = z.object({
  choice: z.int().min(0).max(20).default(0).describe('Which of the choices, counted from 0.'),
});
