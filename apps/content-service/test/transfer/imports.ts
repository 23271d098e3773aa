import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { makeArchive } from './make-archive.ts';
import type { Owner } from '../owner.ts';
import type { Answer, RunningService } from '../running-service.ts';

/** Paths in an archive, and what stands there. */
export type Files = Readonly<Record<string, string | Buffer>>;
export const ZIP = { 'content-type': 'application/zip' };

/** Sends files as an archive to be imported. */
export async function sendImport(to: Owner, files: Files, query = '', headers = {}): Promise<Answer> {
  return to.call('POST', `/imports${query}`, { body: await makeArchive(files), headers: { ...ZIP, ...headers } });
}

/** Imports and waits until it has finished. */
export async function importAll(
  to: Owner,
  files: Files,
  query = '',
): Promise<{ id: string; status: string } & Record<string, number>> {
  const answer = await sendImport(to, files, query);
  expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ finished_at: null })]);
  return finishedImport(to, answer.body.id as string);
}

/** An import once it has finished. */
export async function finishedImport(to: Owner, id: string) {
  return eventually(
    async () => {
      const { body } = await to.get(`/imports/${id}`);
      expect(body.status).toBe('finished');
      return body;
    },
    // On a busy machine sixty files that are cut off again and again take a while.
    { timeoutMs: 120_000 },
  );
}

/** The blogs of the owner's project, at most 100. */
export async function blogsOf(to: Owner): Promise<Record<string, never>[]> {
  return (await to.get('/blogs?limit=100')).body.items;
}

/** One blog of the owner's project, as a whole. */
export async function blogBySlug(to: Owner, slug: string) {
  const found = (await blogsOf(to)).find((blog) => blog['slug'] === slug);
  return (await to.get(`/blogs/${String(found?.['id'])}`)).body;
}

/** Keeps whoever makes a blog with the slug waiting, in the middle of their transaction. */
export async function holdSlug(service: RunningService, of: Owner, slug: string): Promise<AsyncDisposable> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  await client.query('begin');
  await client.query('insert into slug_claim (project_id, slug, blog_id) values ($1, $2, gen_random_uuid())', [
    of.project,
    slug,
  ]);
  let ended: Promise<void> | undefined;
  return { [Symbol.asyncDispose]: () => (ended ??= client.end()) };
}
