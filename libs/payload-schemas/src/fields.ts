import { z } from 'zod';
import { timestamp } from './primitives.ts';
import { memberRole } from './projects-topic.ts';

/** What the documents say of a field: a description, and an example for bodies. */
export const doc = (description: string, example: unknown) => ({ description, examples: [example] });

/** Fields that several bodies have, with their descriptions and examples. */
export const fields = {
  id: z.uuid().describe('Unique, permanent ID.'),
  projectId: z.uuid().meta(doc('ID of the project.', '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11')),
  blogId: z.uuid().meta(doc('ID of the post.', '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10')),
  blogIdOrNull: z.uuid().nullable().meta(doc('ID of the post.', '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10')),
  integrationId: z.uuid().describe('ID of the webhook integration.'),
  deliveryId: z.uuid().describe('ID of the delivery.'),
  generationId: z.uuid().describe('ID of the generation.'),
  number: z.int().describe('Number, counted from 1.'),
  createdAt: timestamp.describe('When it was created.'),
  expiresAt: timestamp.describe('When it expires.'),
  finishedAt: timestamp.nullable().meta(doc('When it finished; null until then.', '2026-03-01T09:00:01.250Z')),
  endedAt: timestamp.nullable().meta(doc('When it ended; null while running.', '2026-03-01T09:00:01.250Z')),
  contentPublishedAt: timestamp.describe('When the current content was published.'),
  email: z.string().meta(doc('Email address of the account.', 'ada@example.com')),
  role: memberRole.meta(doc('Owners manage the project and its credentials. Editors write and publish.', 'editor')),
  name: z.string().meta(doc('Display name.', 'Tea')),
  projectName: z.string().meta(doc('Name of the project.', 'Tea')),
  title: z.string().meta(doc('Title, as plain text.', 'Green tea')),
  slug: z.string().meta(doc('The post’s name in its URL. Unique within the project.', 'green-tea')),
  heroUrl: z
    .string()
    .nullable()
    .meta(doc('URL of the hero image. Not part of `content`.', 'https://cdn.example.com/green-tea.jpg')),
  language: z.string().nullable().meta(doc('Language of the post, as a BCP 47 tag; null if it has none.', 'de-AT')),
  keywordOrNull: z.string().nullable().meta(doc('The focus keyword.', 'green tea')),
  url: z.string().meta(doc('URL.', 'https://receiver.example.com/hook')),
  urlOrNull: z.string().nullable().meta(doc('URL.', 'https://receiver.example.com/hook')),
  externalId: z.string().nullable().meta(doc('The receiver’s ID for the post.', '1024')),
  statusCode: z.int().nullable().meta(doc('HTTP status of the response; null if none.', 200)),
  reason: z.string().nullable().meta(doc('Machine-readable failure reason; null otherwise.', null)),
  detail: z.string().nullable().meta(doc('Human-readable explanation; null if there is nothing to say.', null)),
  invalidField: z
    .string()
    .meta(doc('Path of the field, with dots between levels; `body` for the whole body.', 'title')),
};
