import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { Owner } from '../owner.ts';
import type { RunningService } from '../running-service.ts';

/** An export and its files by their paths. */
export interface UnpackedExport {
  readonly bytes: Buffer;
  readonly files: Readonly<Record<string, Buffer>>;
}

/** Asks for the export of a project; the body is left to be read. */
export function fetchExport(
  service: RunningService,
  { project, token }: Pick<Owner, 'project' | 'token'>,
  method: 'GET' | 'HEAD' = 'GET',
  query = '',
): Promise<Response> {
  return fetch(`${service.origin}/blog/api/v1/owner/projects/${project}/export${query}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
}

/** Reads an export to its end. */
export async function unpackExport(answer: Response): Promise<UnpackedExport> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const files: Record<string, Buffer> = {};
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  }
  return { bytes, files };
}

/** The export of a project, unpacked. */
export async function exportOf(service: RunningService, of: Owner, query = ''): Promise<UnpackedExport> {
  return unpackExport(await fetchExport(service, of, 'GET', query));
}

/** Adds a short draft and so many of 320,000 characters, each of which is some 240 kB when compressed. */
export async function addLongDrafts(service: RunningService, to: Owner, count: number): Promise<void> {
  const { id } = await to.newBlog({ slug: 'tea' });
  await service.query(
    `insert into blog (id, project_id, state, title, slug, content, categories, tags)
     select gen_random_uuid(), project_id, 'draft', 'T', 'large-' || number,
       (select string_agg(encode(sha256(format('%s %s', number, piece)::bytea), 'base64'), '')
        from generate_series(1, 7273) piece), '{}', '{}'
     from blog, generate_series(1, $2) number where id = $1`,
    [id, count],
  );
}
