import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { checked, request, type Api } from '../api.ts';
import { CommandError, UsageError } from '../command-error.ts';
import {
  formatRedirects,
  isPathTemplate,
  REDIRECT_FORMATS,
  toPaths,
  type PathRedirect,
} from '../redirects/format-redirects.ts';
import { mergeRedirects } from '../redirects/merge-redirects.ts';
import type { Command, CommandContext } from './command.ts';

const DEFAULT_PATH = '/blog/{slug}/';
const PAGE_SIZE = 5_000;
/** Renames between two pages make them read again. */
const MAX_TRIES = 5;

export const redirects: Command = {
  usage: `blog redirects [--format netlify|vercel|caddy|nginx|json] [--path <path>] [--out <file>]

Generates redirects for renamed posts in your host's format. Sign in as an owner, or set BLOG_KEY to the project's public
key. --project ignores BLOG_KEY.

  --format netlify   _redirects lines for Netlify and Cloudflare Pages (default)
  --format vercel    redirects for vercel.json
  --format caddy     redir directives to import into a site block
  --format nginx     location blocks to include in a server block
  --format json      a list of { "from", "to" }
  --path <path>      path of a post on your site (default ${DEFAULT_PATH})
  --out <file>       update this file and keep your own lines; json overwrites it
  --origin <url>     URL of the service, used with BLOG_KEY (default BLOG_API, or the one you signed in to)`,
  options: { format: 'string', path: 'string', out: 'string', origin: 'string' },
  async run(context) {
    const { positionals, values, print } = context;
    if (positionals.length > 0) throw new UsageError('"blog redirects" takes options only.');
    const format = REDIRECT_FORMATS.find((one) => one === (values['format'] ?? 'netlify'));
    if (format === undefined) throw new UsageError(`--format must be ${REDIRECT_FORMATS.join(', ')}.`);
    const template = String(values['path'] ?? DEFAULT_PATH);
    if (!isPathTemplate(template)) {
      throw new UsageError(
        '--path must start with a slash and contain {slug} once. Allowed: letters, digits, - . _ ~ and /.',
      );
    }
    const { out } = values;
    const paths = toPaths(await readRedirects(await openPublicApi(context)), template);
    if (typeof out !== 'string') {
      const text = formatRedirects(paths, format);
      if (text !== '') print(text.replace(/\n$/, ''));
      return;
    }
    const existing = await readFile(out, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw new CommandError(`${out} cannot be read: ${error.message}`);
    });
    await replaceFile(out, mergeRedirects(paths, { format, template }, existing));
    print(`${out}: ${paths.length} ${paths.length === 1 ? 'redirect' : 'redirects'}`);
  },
};

async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

type Read = (path: string) => Promise<Response>;

/** The public API with the key of the environment, or with the one that the signed-in account may see. */
async function openPublicApi({ values, environment, store, api: open, signal }: CommandContext): Promise<Read> {
  const given = values['origin'] ?? environment['BLOG_API'];
  // It may be another project's: an option goes before the environment.
  const environmentKey = values['project'] ? undefined : environment['BLOG_KEY'];
  // A key that is revealed goes nowhere else.
  const where = environmentKey ? (given ?? (await store.load()).origin) : (await store.load()).origin;
  if (typeof where !== 'string' || !/^https?:\/\//.test(where) || !URL.canParse(where)) {
    throw new UsageError('--origin must be an http(s) URL.');
  }
  const key = environmentKey || (await revealKey(await open()));
  // One with a line break within would be named by the error.
  if (!/^pk_live_\w+$/.test(key)) throw new CommandError('BLOG_KEY must be a public key, starting with pk_live_.');
  const headers = { authorization: `Bearer ${key}` };
  const base = `${new URL(where).origin}/blog/api/v1/public`;
  return async (path) => checked(await request(base + path, { headers }, signal));
}

async function revealKey(api: Api): Promise<string> {
  if (api.kind === 'agent') throw new CommandError('Agents cannot read the public key. Set BLOG_KEY.');
  const { public_key: key } = (await (await api.project('/public-key')).json()) as { public_key: string };
  return key;
}

interface Page {
  readonly redirects: readonly PathRedirect[];
  readonly total: number;
}

async function readRedirects(read: Read): Promise<PathRedirect[]> {
  let found: PathRedirect[] = [];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const totals = new Set<number>();
    found = [];
    for (let isMore = true; isMore;) {
      const page = (await (await read(`/redirects?limit=${PAGE_SIZE}&offset=${found.length}`)).json()) as Page;
      found.push(...page.redirects);
      totals.add(page.total);
      isMore = page.redirects.length === PAGE_SIZE;
    }
    if (totals.size === 1) break;
  }
  // Pages of different moments could lead in circles.
  const sources = new Set(found.map(({ from }) => from));
  return found.filter(({ to }) => !sources.has(to));
}
