import { readAll, type Api } from '../api.ts';
import { CommandError, printable, RefusedCall, UsageError } from '../command-error.ts';
import type { Command, CommandContext } from './command.ts';
import { readPublicationDate } from './publication-date.ts';

interface Blog {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly state: string;
  readonly has_unpublished_changes: boolean;
}

const JSON_BODY = { 'content-type': 'application/json' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const projects: Command = {
  usage: `blog projects [--json]

  --json   print one JSON object per line`,
  options: { json: 'boolean' },
  async run({ api, print, values }) {
    const { owner } = await api();
    for await (const project of readAll<{ id: string; name: string }>(owner, '/projects')) {
      print(values['json'] ? JSON.stringify(project) : `${project.id}  ${printable(project.name)}`);
    }
  },
};

export const list: Command = {
  usage: `blog list [--state draft|published|unpublished] [--json]

  --json   print one JSON object per line`,
  options: { state: 'string', json: 'boolean' },
  async run({ api, print, values }) {
    const { project } = await api();
    const state = values['state'] === undefined ? '' : `?state=${encodeURIComponent(String(values['state']))}`;
    for await (const blog of readAll<Blog>(project, `/blogs${state}`)) {
      const changed = blog.has_unpublished_changes && blog.state === 'published' ? ' (changed)' : '';
      print(
        values['json']
          ? JSON.stringify(blog)
          : `${blog.state.padEnd(12)}${blog.slug}  ${printable(blog.title)}${changed}`,
      );
    }
  },
};

export const publish: Command = {
  usage: `blog publish <slug or id>… [--date <date>] [--wait]

  --date   publication date: a day (2025-08-08, midnight UTC) or a time with a zone (2025-08-08T10:00:00+02:00);
           a future date schedules the post
  --wait   wait for all deliveries; exits with 1 if one fails`,
  options: { wait: 'boolean', date: 'string' },
  run(context) {
    const given = context.values['date'];
    const date = typeof given === 'string' ? readPublicationDate(given) : null;
    const body = date === null ? {} : { headers: JSON_BODY, body: JSON.stringify({ published_at: date }) };
    const dated = date === null ? '' : `, dated ${date}`;
    return forEach(context, async (api, id, name) => {
      const answer = await api.project(`/blogs/${id}/publish`, { method: 'POST', ...body }).catch(namingDate);
      const published = (await answer.json()) as { id: string } | { status: 'scheduled'; publish_at: string };
      if ('publish_at' in published) {
        context.print(`${name}: scheduled for ${published.publish_at}`);
        return true;
      }
      const { id: publishId } = published;
      if (!context.values['wait']) {
        context.print(`${name}: publishing${dated} (${publishId})`);
        return true;
      }
      const { status, deliveries } = await untilEnded(api, publishId);
      context.print(`${name}: ${status}${dated}`);
      for (const { receiver, detail } of deliveries.filter((delivery) => delivery.status === 'failed')) {
        context.print(`  ${printable(receiver)}: ${printable(detail ?? 'failed')}`);
      }
      return status === 'succeeded';
    });
  },
};

/** The service names its field, the user has typed an option. */
function namingDate(error: unknown): never {
  if (!(error instanceof RefusedCall)) throw error;
  throw new RefusedCall(error.status, error.message.replaceAll(/\bpublished_at\b/g, '--date'));
}

export const unpublish: Command = {
  usage: 'blog unpublish <slug or id>…',
  run: (context) =>
    forEach(context, async (api, id, name) => {
      await api.project(`/blogs/${id}/unpublish`, { method: 'POST' });
      context.print(`${name}: unpublished`);
      return true;
    }),
};

/** Goes on after one that failed, and ends with 1 then. */
async function forEach(
  { positionals, api: open, print, signal }: CommandContext,
  act: (api: Api, id: string, name: string) => Promise<boolean>,
): Promise<number> {
  if (positionals.length === 0) throw new UsageError('Name a post.');
  const api = await open();
  let code = 0;
  for (const name of positionals) {
    try {
      if (!(await act(api, await findId(api, name), name))) code = 1;
    } catch (error) {
      if (signal.aborted || !(error instanceof CommandError)) throw error;
      print(`${name}: ${error.message}`);
      code = 1;
    }
  }
  return code;
}

async function findId(api: Api, slugOrId: string): Promise<string> {
  if (UUID.test(slugOrId)) return slugOrId;
  for await (const { id, slug } of readAll<Blog>(api.project, '/blogs')) if (slug === slugOrId) return id;
  throw new CommandError('post not found');
}

interface Publish {
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly deliveries: readonly {
    readonly receiver: string;
    readonly status: string;
    readonly detail: string | null;
  }[];
}

async function untilEnded(api: Api, id: string): Promise<Publish> {
  for (;;) {
    const publish = (await (await api.project(`/publishes/${id}`)).json()) as Publish;
    if (publish.status !== 'pending') return publish;
    await new Promise((wake) => setTimeout(wake, 1_000));
  }
}
