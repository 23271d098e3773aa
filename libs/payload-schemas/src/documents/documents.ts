import { readFileSync } from 'node:fs';
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
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts';
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

/** Every generated document: path below `docs/` → its text, as committed. */
export function generatedDocuments(): ReadonlyMap<string, string> {
  const documents: Record<string, JsonSchema> = {
    'openapi.json': openApi(),
    'asyncapi.json': asyncApiDocument(topics, version),
    'schemas/public-api/blog-list.json': jsonSchemaOf(publicBlogList, 'output'),
    'schemas/public-api/blog.json': jsonSchemaOf(publicBlog, 'output'),
    'schemas/public-api/related-blogs.json': jsonSchemaOf(relatedBlogs, 'output'),
    'schemas/public-api/feed.json': jsonSchemaOf(jsonFeed, 'output'),
    'schemas/public-api/sitemap.json': jsonSchemaOf(publicSitemap, 'output'),
    'schemas/public-api/error.json': jsonSchemaOf(publicError, 'output'),
  };
  for (const body of webhookBody.options) {
    documents[`schemas/webhooks/${body.shape.event.value}.json`] = jsonSchemaOf(body, 'output');
  }
  for (const topic of topics) documents[`schemas/topics/${topic.name}.json`] = jsonSchemaOf(topic.schema, 'output');
  return new Map(Object.entries(documents).map(([path, document]) => [path, `${JSON.stringify(document, null, 2)}\n`]));
}
