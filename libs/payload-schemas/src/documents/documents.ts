import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { jsonFeed, publicBlog, publicBlogList, publicError, publicSitemap, relatedBlogs } from '../public-api.ts';
import { topics } from '../topics.ts';
import { webhookBody } from '../webhook-bodies.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { areas, httpSurface } from './http-surface.ts';
import { embeddedSchemaOf, jsonSchemaOf, type JsonSchema } from './json-schema.ts';
import { openApiDocument } from './openapi/openapi.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export { httpSurface, topics };
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
