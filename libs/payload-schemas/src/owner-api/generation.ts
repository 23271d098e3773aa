import { z } from 'zod';
import { languageTag } from '../extras/language-tag.ts';
import { doc, fields } from '../fields.ts';
import { givenHttpUrl, label, MAX_SHORT_TEXT, timestamp } from '../primitives.ts';
import { brandVoiceUse, reportedBrandVoice } from './writing/brand-voice.ts';

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
  z.object({
    url: givenHttpUrl.meta(doc('URL of a web page. Its text is extracted.', 'https://receiver.example.com/hook')),
  }),
  z.object({
    title: label.optional().meta(doc('Title of the source.', 'Green tea')),
    text: z
      .string()
      .trim()
      .min(1)
      .max(GENERATION_LIMITS.sourceLength)
      .meta(doc('Text of the source.', 'Green tea likes water of 80 degrees.')),
  }),
]);
export type GenerationSource = z.infer<typeof generationSource>;

/** What is to be written, and from what. */
export const blogGenerateRequest = z.object({
  topic: label.meta(doc('The topic of the post.', 'Green tea at home')),
  keyword: label
    .optional()
    .meta(doc('Focus keyword. If omitted, the model chooses one; without a model there is none.', 'green tea')),
  audience: z
    .string()
    .trim()
    .max(MAX_SHORT_TEXT)
    .optional()
    .meta(doc('The intended readers.', 'people who drink coffee')),
  tone: z.string().trim().max(MAX_SHORT_TEXT).optional().meta(doc('The tone of voice.', 'calm')),
  length: z
    .int()
    .min(GENERATION_LIMITS.minWords)
    .max(GENERATION_LIMITS.maxWords)
    .default(1_000)
    .meta(doc('Approximate length in words.', 1000)),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .max(35)
    .default('en')
    .meta(doc('Language tag (RFC 5646).', 'en')),
  outline: z
    .array(label)
    .min(1)
    .max(GENERATION_LIMITS.headings)
    .optional()
    .meta(doc('Section headings.', ['Water', 'Leaves'])),
  instructions: z
    .string()
    .trim()
    .max(GENERATION_LIMITS.instructionsLength)
    .optional()
    .meta(doc('Extra instructions for the writer.', 'No jokes.')),
  sources: z
    .array(generationSource)
    .max(GENERATION_LIMITS.sources)
    .default([])
    .meta(
      doc('Sources to write from. They are treated as data, never as instructions.', [
        { url: 'https://tea.example.com/water' },
      ]),
    ),
  pictures: z
    .boolean()
    .default(false)
    .meta(doc('Whether to generate an image, if an image model is configured.', false)),
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
  id: fields.id,
  kind: generationKind.describe('What is generated: a post, or a proposal for an existing post.'),
  status: generationStatus.describe('Status of the generation.'),
  step: z.string().describe('Current or last step.'),
  steps_done: z.int().describe('Steps completed.'),
  steps: z.int().describe('Total steps.'),
  topic: z.string().meta(doc('Topic of the post.', 'Green tea at home')),
  origin: z.string().nullable().meta(doc('What started it, if not a request by a person or an agent.', null)),
  writer: z.string().nullable().meta(doc('The model, or `offline`; null before the first step.', 'offline')),
  input_tokens: z.int().describe('Input tokens.'),
  output_tokens: z.int().describe('Output tokens.'),
  cost: z.number().meta(doc('Cost so far, at the prices in the settings.', 0.02)),
  blog_id: z
    .uuid()
    .nullable()
    .meta(doc('ID of the new draft, or of the post the proposal is for.', '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10')),
  proposal_id: z.uuid().nullable().meta(doc('ID of the resulting proposal.', null)),
  failure: z
    .object({
      code: z.string().describe('Machine-readable reason.'),
      message: z.string().describe('Human-readable reason.'),
    })
    .nullable()
    .meta(doc('Why it failed.', null)),
  created_at: fields.createdAt,
  started_at: timestamp.nullable().describe('When it started.'),
  finished_at: fields.finishedAt,
});

/** What a reviewer should know of a draft that was generated. */
export const generationReport = z.object({
  sources: z
    .array(
      z.object({
        number: fields.number,
        title: fields.title,
        url: fields.urlOrNull,
        status: z.enum(['used', 'unused', 'unreadable']).describe('Whether the source was readable and used.'),
        detail: z.string().nullable().meta(doc('Why it could not be read.', null)),
        sections: z.array(z.string()).meta(doc('Headings of the sections based on it.', ['Water'])),
      }),
    )
    .describe('The sources and where they were used.'),
  links: z
    .array(
      z.object({
        slug: fields.slug,
        title: fields.title,
        anchor: z.string().meta(doc('The linked text.', 'white tea')),
      }),
    )
    .describe('Internal links that were added.'),
  length: z
    .object({
      asked: z.int().meta(doc('Requested number of words.', 1000)),
      words: z.int().meta(doc('Number of words.', 980)),
    })
    .describe('Requested and actual number of words.'),
  readability: z
    .object({
      sentences: z.int().meta(doc('Number of sentences.', 61)),
      words_per_sentence: z.number().meta(doc('Average sentence length in words.', 16.1)),
      long_sentences: z.int().describe('Sentences over 25 words.'),
    })
    .describe('Readability of the text.'),
  keyword_use: z
    .object({
      keyword: z.string().meta(doc('The focus keyword.', 'green tea')),
      count: z.int().describe('Number of occurrences in the text.'),
      in_title: z.boolean().describe('Whether the title contains it.'),
      in_headings: z.boolean().describe('Whether a heading contains it.'),
      in_first_paragraph: z.boolean().describe('Whether the first paragraph contains it.'),
    })
    .describe('Where the focus keyword appears.'),
  brand_voice: reportedBrandVoice.nullable().meta(doc('Notes of the project that were used; null if none.', null)),
  cut: z.array(z.string()).meta(doc('What was removed from the generated text, and why.', [])),
  similar: z
    .array(
      z.object({
        blog_id: fields.blogId,
        title: fields.title,
        slug: fields.slug,
      }),
    )
    .describe('Posts in the project with a similar title or topic.'),
  unsupported: z
    .array(
      z.object({
        section: z.string().meta(doc('Heading of the section.', 'Water')),
        sentence: z.string().meta(doc('The sentence.', 'Nine of ten people like it.')),
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

/** Which model writes for a project, replaced as a whole. */
export const generationSettingsRequest = z
  .object({
    base_url: givenHttpUrl
      .nullable()
      .default(null)
      .meta(doc('OpenAI-compatible endpoint, up to `/v1`. Null: the platform’s.', 'https://models.example.com/v1')),
    api_key: modelKey.meta(
      doc('API key. Stored encrypted, never returned. If omitted, the saved key is kept.', 'a-key-of-a-model'),
    ),
    model: modelName.default(null).meta(doc('Name of the model. Required with base_url.', 'writer-large')),
    image_model: modelName.default(null).meta(doc('Name of the image model. Null: no images.', null)),
    input_price: price.default(0).meta(doc('Price per million input tokens.', 2.5)),
    output_price: price.default(0).meta(doc('Price per million output tokens.', 10)),
    image_price: price.default(0).meta(doc('Price per image.', 0.04)),
    job_budget: budget.default(null).meta(doc('Maximum cost per generation. Null: the platform’s limit.', 0.5)),
    month_budget: budget.default(null).meta(doc('Monthly budget. Null: the platform’s limit.', 20)),
    job_tokens: tokens.default(null).meta(doc('Maximum tokens per generation. Null: the platform’s limit.', 300_000)),
    month_tokens: tokens.default(null).meta(doc('Maximum tokens per month. Null: the platform’s limit.', 5_000_000)),
  })
  .refine(({ base_url: url, model }) => (url === null) === (model === null), {
    path: ['model'],
    message: 'requires base_url: give both, or null for both',
  });

/** A model to be tried: the one that is saved, or one that is not saved yet. */
export const modelTestRequest = z
  .object({
    base_url: givenHttpUrl
      .optional()
      .meta(doc('As in the settings. If omitted, the current model is tested.', 'https://models.example.com/v1')),
    api_key: modelKey.meta(doc('If omitted, the key saved for this URL is used, if any.', 'a-key-of-a-model')),
    model: modelName.unwrap().optional().meta(doc('Required with base_url.', 'writer-large')),
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
  status_code: fields.statusCode,
  total_ms: z.int().meta(doc('Total duration of all requests.', 120)),
  model: z.string().nullable().meta(doc('Model name in the response.', 'writer-large')),
  answer: z.string().nullable().describe('First 300 characters of the response. Secrets are masked.'),
  structured_output: z
    .enum(['schema', 'object', 'none'])
    .nullable()
    .describe(
      'Which `response_format` works: `schema` (type `json_schema`), `object` (type `json_object`) or `none`. Null without a response.',
    ),
  streams: z.boolean().nullable().describe('Whether the response was streamed. Both forms work.'),
  detail: z.string().nullable().meta(doc('Why the model cannot be used.', null)),
});

/** Who writes for a project, and what that has cost. */
export const generationSettings = z.object({
  base_url: z.string().nullable().meta(doc('URL of the endpoint.', 'https://models.example.com/v1')),
  api_key: z.string().nullable().meta(doc('Last characters of the key; null if none.', '…Ab3Z')),
  model: z.string().nullable().meta(doc('Name of the model.', 'writer-large')),
  image_model: z.string().nullable().meta(doc('Name of the image model.', null)),
  input_price: z.number().meta(doc('Price per million input tokens.', 2.5)),
  output_price: z.number().meta(doc('Price per million output tokens.', 10)),
  image_price: z.number().meta(doc('Price per image.', 0.04)),
  job_budget: z.number().nullable().meta(doc('Maximum cost of one generation.', 0.5)),
  month_budget: z.number().nullable().meta(doc('Monthly budget.', 20)),
  job_tokens: z.int().nullable().meta(doc('Maximum tokens per generation.', 300000)),
  month_tokens: z.int().nullable().meta(doc('Maximum tokens per month.', 5000000)),
  writer: z
    .enum(['project', 'platform', 'offline'])
    .meta(
      doc('Who writes: the project’s model, the platform’s, or none. Without a model, drafts are outlines.', 'offline'),
    ),
  effective: z
    .object({
      model: z.string().nullable().meta(doc('Name of the model.', 'writer-large')),
      job_budget: z.number().meta(doc('Maximum cost of one generation.', 0.5)),
      month_budget: z.number().meta(doc('Monthly budget.', 20)),
      job_tokens: z.int().meta(doc('Maximum tokens per generation.', 300_000)),
      month_tokens: z.int().meta(doc('Maximum tokens per month.', 5_000_000)),
    })
    .describe('The limits in effect, including the platform’s.'),
  month: z
    .object({
      month: z.string().meta(doc('The month in UTC.', '2026-11')),
      cost: z.number().meta(doc('Spent and reserved cost.', 0.02)),
      tokens: z.int().describe('Used and reserved tokens.'),
      renews_at: timestamp.describe('When the monthly budget resets.'),
    })
    .describe('Usage this month.'),
});

export const proposalKind = z.enum([
  'rewrite_section',
  'shorten',
  'translate',
  'update_translation',
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
    kind: proposalKind.meta(
      doc(
        'Kind of proposal. `translate` creates a draft among the translations of the post; all others change the post. `update_translation` translates the source of the post again.',
        'meta',
      ),
    ),
    heading: label.optional().meta(doc('Heading of the section. Required for `rewrite_section`.', 'Water')),
    language: languageTag.optional().meta(doc('Target language (BCP 47). Required for `translate`.', 'de')),
    length: z
      .int()
      .min(50)
      .max(GENERATION_LIMITS.maxWords)
      .optional()
      .meta(doc('Approximate target length in words, for `shorten`. Defaults to half.', 1_000)),
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
  id: fields.id,
  blog_id: fields.blogId,
  generation_id: fields.generationId,
  kind: proposalKind.describe('Kind of proposal.'),
  status: proposalStatus.describe('Status of the proposal.'),
  base_version: z.int().describe('Version of the post it was made for. It can only be accepted for that version.'),
  choices: z.array(z.string()).meta(doc('Titles to choose from; empty if there is only one.', [])),
  notes: z.array(z.string()).meta(doc('Notes for the reviewer.', [])),
  brand_voice: brandVoiceUse.nullable().meta(doc('Notes of the project that were used; null if none.', null)),
  new_blog_id: z.uuid().nullable().meta(doc('ID of the draft created by a translation.', null)),
  created_at: fields.createdAt,
  settled_at: timestamp.nullable().describe('When it was accepted or rejected.'),
  settled_by: z.uuid().nullable().meta(doc('The account or agent key that accepted or rejected it.', null)),
});

/** A proposal with what it would change. */
export const proposal = proposalItem.extend({
  fields: z
    .array(
      z.object({
        field: fields.invalidField,
        before: z.json().meta(doc('The old value.', 'Tea')),
        after: z.json().meta(doc('The new value.', 'Green tea')),
      }),
    )
    .describe('Fields that would change, without the content.'),
  content: z
    .array(
      z.object({
        change: z
          .enum(['same', 'added', 'removed'])
          .meta(doc('Whether the piece was added, removed or kept.', 'added')),
        html: z.string().meta(doc('The piece as HTML.', '<p>Hot water.</p>')),
      }),
    )
    .describe('The content in pieces, as in revision comparisons.'),
});

export const proposalAcceptRequest = z.object({
  choice: z.int().min(0).max(20).default(0).meta(doc('Index of the chosen option, from 0.', 0)),
});
