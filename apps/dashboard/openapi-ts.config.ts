import { defineConfig } from '@hey-api/openapi-ts';
import { readFileSync } from 'node:fs';

interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, { headers?: unknown }> }>>;
  webhooks?: unknown;
}

/** What a person may call in the browser: agents, sites and receivers have clients of their own. */
function ownerApi(): Record<string, unknown> {
  const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as Document;
  delete document.webhooks;
  document.paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith('/blog/api/v1/owner/')),
  );
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  // The generator knows no headers of answers, and says so for each of them.
  for (const response of operations.flatMap(({ responses }) => Object.values(responses ?? {}))) delete response.headers;
  return document as unknown as Record<string, unknown>;
}

export default defineConfig({
  input: ownerApi(),
  output: { path: 'src/generated', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', '@tanstack/react-query'],
});
