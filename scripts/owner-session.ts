// What the commands for owners have in common: who signs in, and calls to the owner API.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Where a command's calls go, and who makes them. */
export interface OwnerOptions {
  readonly origin: string;
  readonly email: string;
  readonly project: string;
}

/** Told to the user in one line, without a stack. */
export class CommandError extends Error {}

export const OWNER_USAGE = `  --project <id>      the project
  --email <address>   who signs in (or the variable BLOG_EMAIL); the password is the variable BLOG_PASSWORD, or asked for
  --origin <url>      where the service is (default http://127.0.0.1:4000)`;

export const OWNER_ARGUMENTS = {
  project: { type: 'string' },
  email: { type: 'string' },
  origin: { type: 'string', default: 'http://127.0.0.1:4000' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Checks what was given. @throws TypeError for what is missing. */
export function readOwnerOptions(values: { project?: string; email?: string; origin: string }): OwnerOptions {
  const email = values.email ?? process.env['BLOG_EMAIL'];
  if (!values.project) throw new TypeError('--project is missing.');
  if (!/^[0-9a-f-]{36}$/i.test(values.project)) throw new TypeError('--project must be the id of a project.');
  if (!email) throw new TypeError('--email is missing.');
  if (!URL.canParse(values.origin)) throw new TypeError('--origin must be a URL.');
  return { origin: new URL(values.origin).origin, email, project: values.project };
}

/** Calls below the project, as its signed-in member. Anything but success is thrown as a CommandError. */
export type CallProject = (path: string, init?: RequestInit) => Promise<Response>;

export async function signIn({ origin, email, project }: OwnerOptions): Promise<CallProject> {
  const password = process.env['BLOG_PASSWORD'] ?? (await ask(`Password of ${email}: `));
  const owner = `${origin}/blog/api/v1/owner`;
  const session = await call(`${owner}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await session.json()) as { token: string };
  return (path, init = {}) =>
    call(`${owner}/projects/${project}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` },
    });
}

async function call(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    const { message, cause } = error as Error;
    throw new CommandError(
      `${new URL(url).origin} does not answer: ${cause instanceof Error ? cause.message : message}`,
    );
  }
  if (response.ok) return response;
  throw new CommandError(await problemOf(response));
}

async function problemOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      detail: string;
      errors?: readonly { field: string; message: string }[];
    };
    return [`${response.status}: ${detail}`, ...errors.map(({ field, message }) => `  ${field} ${message}`)].join('\n');
  } catch {
    return `${response.status}: ${text.slice(0, 200)}`;
  }
}

/** Asks at the terminal without showing what is typed. */
async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandError('Set BLOG_PASSWORD: there is no terminal to ask at.');
  process.stderr.write(question);
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** Runs a command; tells what is wrong with its arguments along with its usage, and exits with 2. */
export async function runCommand<Settings>(
  usage: string,
  readSettings: () => Settings | 'help',
  run: (settings: Settings) => Promise<void>,
): Promise<void> {
  let settings: Settings | 'help';
  try {
    settings = readSettings();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
  if (settings === 'help') {
    console.log(usage);
    return;
  }
  try {
    await run(settings);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
