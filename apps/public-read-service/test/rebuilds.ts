import { eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { blogPublished, projectSaved } from './events.ts';
import { startRebuiltService, type RebuiltService } from './rebuilt-service.ts';
import { logged, PUBLIC } from './test-service.ts';

/** The tables of the read model. */
export const TABLES = ['blog_alias', 'blog_position', 'project', 'project_member', 'published_blog'];

export const published = (project_id: string, blog_id: string, number: number, title = 'Green tea') =>
  blogPublished({ project_id, blog_id, blog_event_number: number, revision: { slug: `s-${blog_id}`, title } });

/** What the service has warned of since the test began. */
export const warnings = () => logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');

/** A service of its own for each test, and what is asked of it before and after a rebuild. */
export function prepareRebuilds() {
  let world: RebuiltService;
  beforeEach(async () => {
    world = await startRebuiltService();
    logged.length = 0;
  });
  afterEach(() => world[Symbol.asyncDispose]());

  return {
    /** The test's service. */
    worldOf: () => world,
    /** A project with a key, in the log and not consumed yet. */
    createProject: async (siteUrl: string | null = 'https://tea.example') => {
      const id = randomUUID();
      await world.append(projectSaved({ project_id: id, site_url: siteUrl }));
      const { key } = (await world.service.keys.generate(id))!;
      const headers = { authorization: `Bearer ${key}` };
      return {
        id,
        /** `path` starts after that of the public API. */
        get: (path: string) => world.service.request('GET', PUBLIC + path, headers),
        async list() {
          const { statusCode, body } = await world.service.request('GET', `${PUBLIC}/blogs?limit=100`, headers);
          if (statusCode !== 200) throw new Error(`${statusCode} ${body}`);
          return JSON.parse(body) as { total: number; blogs: { id: string; title: string }[] };
        },
        async status() {
          return (await world.service.request('GET', `${PUBLIC}/blogs`, headers)).statusCode;
        },
      };
    },
    /** Each project's version of the read model. */
    versions: async (): Promise<Map<string, bigint>> => {
      const { rows } = await world.pool.query<{ id: string; version: string }>('SELECT id, version FROM project');
      return new Map(rows.map(({ id, version }) => [id, BigInt(version)]));
    },
    /** Changes what is in the log. */
    changeLog: async (statement: string, values: unknown[]): Promise<void> => {
      const client = new Client({ connectionString: world.eventLogUrl });
      await client.connect();
      await client.query(statement, values);
      await client.end();
    },
    /** Has the service take all that is in the log. */
    consumeAll: async (): Promise<void> => {
      const subscription = await world.consume();
      await eventually(() => world.untilConsumed());
      await subscription.stop();
    },
  };
}
