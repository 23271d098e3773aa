import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { autopilotTopic } from '../autopilot-topic.ts';
import { deliveriesTopic } from '../deliveries-topic.ts';
import { lifecycleTopic } from '../lifecycle-topic.ts';
import { projectsTopic } from '../projects-topic.ts';
import { jsonFeed, publicBlog, publicBlogList, publicError, publicSitemap, relatedBlogs } from '../public-api.ts';
import { servedTopic } from '../served-topic.ts';
import { sessionsTopic } from '../sessions-topic.ts';
import type { Topic } from '../topic.ts';
import { webhookBody } from '../webhook-bodies.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { areas, httpSurface } from './http-surface.ts';
import { embeddedSchemaOf, jsonSchemaOf, type JsonSchema } from './json-schema.ts';
import { openApiDocument } from './openapi/openapi.ts';

/** All that the services tell each other. */
export const topics = [
  lifecycleTopic,
  projectsTopic,
  servedTopic,
  deliveriesTopic,
  sessionsTopic,
  autopilotTopic,
] as unknown as readonly Topic[];

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export { httpSurface };
export { errorsOf, ZIP, type Operation } from './operation.ts';

/** The OpenAPI document of the whole HTTP surface. */
export const openApi = (): JsonSchema => openApiDocument(areas, version);

/** Schemas by their names, as `$defs`. */
const definitionsOf = (schemas: Readonly<Record<string, z.ZodType>>): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, embeddedSchemaOf(schema, 'output')]),
  ),
});

/** Every generated document: path below `docs/` → its text, as committed. */
export function generatedDocuments(): ReadonlyMap<string, string> {
  const documents: Record<string, JsonSchema> = {
    'openapi.json': openApi(),
    'asyncapi.json': asyncApiDocument(topics, version),
    'schemas/public-api.json': definitionsOf({
      'blog-list': publicBlogList,
      blog: publicBlog,
      'related-blogs': relatedBlogs,
      feed: jsonFeed,
      sitemap: publicSitemap,
      error: publicError,
    }),
    'schemas/webhooks.json': jsonSchemaOf(webhookBody, 'output'),
  };
  for (const topic of topics) documents[`schemas/topics/${topic.name}.json`] = jsonSchemaOf(topic.schema, 'output');
  return new Map(Object.entries(documents).map(([path, document]) => [path, `${JSON.stringify(document, null, 2)}\n`]));
}
