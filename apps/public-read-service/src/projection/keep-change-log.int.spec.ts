import { eventually } from '@blog-content/testing';
import { Client } from 'pg';
import { projectSaved } from '../../test/events.ts';
import { logger, startTestService, type TestProject, type TestService } from '../../test/test-service.ts';
import { MAX_LINKS } from './change-log-store.ts';
import { MAX_WATCHED_TARGETS } from '../queries/change-log-statements.ts';
import { CHANGES_KEPT_MS, createChangeLogKeeper, type ChangeLogKeeper } from './keep-change-log.ts';

const NEWEST = { publishedAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

let service: TestService;
let client: Client;
let project: TestProject;
let keeper: ChangeLogKeeper;

beforeAll(async () => {
  service = await startTestService();
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  keeper = createChangeLogKeeper({ store: service.changeLog, logger, now: () => new Date() });
});
afterAll(async () => {
  await client?.end();
  await service?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  project = await service.createProject();
});

/** The service does rounds, too. */
const begin = () => eventually(async () => expect(await keeper.begin()).toBe(true));
const count = async (text: string, ...values: unknown[]) =>
  Number((await client.query<{ count: string }>(text, values)).rows[0]!.count);
const linksOf = (id: string) => count('SELECT count(*) FROM blog_link WHERE project_id = $1', id);
/** As a rebuild leaves it. */
async function breakLog(...projects: TestProject[]): Promise<void> {
  const ids = projects.map(({ id }) => id);
  await client.query('DELETE FROM blog_link WHERE project_id = ANY ($1::uuid[])', [ids]);
  await client.query('UPDATE project SET links_known = NULL, logged_version = NULL WHERE id = ANY ($1::uuid[])', [ids]);
}
const linkTo = (slug: string) => `<p>[INTERNAL:${slug}]</p>`;

describe('keeping the logs of changes', () => {
  it('is done by one replica at a time; the others skip it', async () => {
    await project.publish({ slug: 'linking', content: linkTo('target') });
    await breakLog(project);
    const passed = await service.changeLog.alone('begin', async () => {
      expect(await keeper.begin()).toBe(false);
      expect(await linksOf(project.id)).toBe(0);
    });
    expect(passed).toBe(true);
    await begin();
    expect(await linksOf(project.id)).toBe(1);
  });

  it('writes no more links once something else has restarted the log', async () => {
    await project.publish({ slug: 'linking', content: linkTo('target') });
    await breakLog(project);
    await service.changeLog.alone('begin', async (log) => {
      const version = (await log.begin(project.id))!;
      await service.applyProjects(
        projectSaved({ project_id: project.id, project_event_number: 2, site_url: 'https://new.example' }),
      );
      expect(await log.addLinks(project.id, version, NEWEST)).toBeNull();
    });
    expect(await linksOf(project.id)).toBe(0);
  });

  it('holds a project for a limited number of links, however many its posts have', async () => {
    const posts = MAX_LINKS / MAX_WATCHED_TARGETS + 3;
    const content = Array.from({ length: MAX_WATCHED_TARGETS }, (_, at) => linkTo(`target-${at}`)).join('');
    for (let at = 0; at < posts; at += 1) await project.publish({ slug: `from-${at}`, content });
    await breakLog(project);
    await service.changeLog.alone('begin', async (log) => {
      const version = (await log.begin(project.id))!;
      expect(await log.addLinks(project.id, version, NEWEST)).not.toBeNull();
      expect(await linksOf(project.id)).toBe(MAX_LINKS);
    });
    await breakLog(project);
    await begin();
    expect(await linksOf(project.id)).toBe(posts * MAX_WATCHED_TARGETS);
  });

  it('continues with the next project when one fails', async () => {
    const projects = [project, await service.createProject()];
    for (const one of projects) await one.publish({ slug: 'linking', content: linkTo('target') });
    await breakLog(...projects);
    const [failing, next] = projects.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    await client.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'Failed.'; END $$;
      CREATE TRIGGER failing BEFORE INSERT ON blog_link FOR EACH ROW WHEN (NEW.project_id = '${failing!.id}')
        EXECUTE FUNCTION fail()`);
    await begin();
    await client.query('DROP FUNCTION fail CASCADE');
    expect([await linksOf(failing!.id), await linksOf(next!.id)]).toEqual([0, 1]);
    await begin();
    expect(await linksOf(failing!.id)).toBe(1);
  });

  it('drops links that an older release has left, of posts and of projects', async () => {
    const id = await project.publish({ slug: 'linking', content: linkTo('target') });
    await client.query('DELETE FROM published_blog WHERE id = $1', [id]);
    await client.query('UPDATE project SET version = version + 1 WHERE id = $1', [project.id]);
    await begin();
    expect(await linksOf(project.id)).toBe(0);
    const deleted = await service.createProject();
    await deleted.publish({ slug: 'linking', content: linkTo('target') });
    await client.query('DELETE FROM published_blog WHERE project_id = $1', [deleted.id]);
    await client.query('UPDATE project SET version = version + 1, deleted_at = now() WHERE id = $1', [deleted.id]);
    await eventually(async () => expect(await keeper.forget()).toBe(true));
    expect(await linksOf(deleted.id)).toBe(0);
  });

  it('leaves links alone while a log is whole', async () => {
    await project.publish({ slug: 'linking', content: linkTo('target') });
    await service.changeLog.alone('begin', async (log) => expect(await log.dropLinks(project.id)).toBe(0));
    expect(await linksOf(project.id)).toBe(1);
  });

  it('finds rows by indexes even with misleading planner statistics', async () => {
    await project.publish({ slug: 'linking', content: linkTo('target') });
    await breakLog(project);
    await client.query(`
      CREATE FUNCTION by_index() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('enable_seqscan') <> 'off' THEN RAISE 'Reads a table whole.'; END IF; RETURN NULL;
      END $$;
      CREATE TRIGGER by_index AFTER INSERT OR DELETE ON blog_link FOR EACH ROW EXECUTE FUNCTION by_index();
      CREATE TRIGGER by_index AFTER DELETE ON blog_change FOR EACH ROW EXECUTE FUNCTION by_index()`);
    const later = () => new Date(Date.now() + CHANGES_KEPT_MS + 1_000);
    const old = createChangeLogKeeper({ store: service.changeLog, logger, now: later });
    await begin();
    await eventually(async () => expect(await old.forget()).toBe(true));
    await client.query('DROP FUNCTION by_index CASCADE');
    expect(await linksOf(project.id)).toBe(1);
    expect(await count('SELECT count(*) FROM blog_change WHERE project_id = $1', project.id)).toBe(0);
  });
});
