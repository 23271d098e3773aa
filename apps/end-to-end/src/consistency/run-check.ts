import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { LocalServices } from '@blog-content/local-services';
import { compileCache } from '@blog-content/testing';

const PROGRAM = join(import.meta.dirname, '../../../content-service/src/check-consistency.ts');

/** A post or a project that the command names. */
export interface Finding {
  readonly project_id: string;
  readonly blog_id: string | null;
  readonly differences: readonly { readonly where: string; readonly kind: string }[];
  readonly undecided: string | null;
}

export interface CheckResult {
  readonly code: number | null;
  readonly findings: readonly Finding[];
  readonly summary: Readonly<Record<string, unknown>> | undefined;
  readonly stderr: string;
}

/** Starts the command as an operator does; `ended` resolves when it ends by itself, or is killed. */
export function startCheck({ databaseUrls }: Pick<LocalServices, 'databaseUrls'>, ...args: string[]) {
  const env = {
    ...compileCache,
    DATABASE_URL: databaseUrls['content-service'],
    PUBLIC_READ_SERVICE_DATABASE_URL: databaseUrls['public-read-service'],
    WEBHOOK_DISPATCHER_DATABASE_URL: databaseUrls['webhook-dispatcher'],
    EVENT_LOG_DATABASE_URL: databaseUrls['event-log'],
    IMAGE_BASE_URL: 'https://images.example/images',
  };
  const child = spawn(
    process.execPath,
    ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', PROGRAM, ...args],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
  return { child, ended, output };
}

/** Runs it to its end, with its findings as JSON. */
export async function runCheck(local: Pick<LocalServices, 'databaseUrls'>, ...args: string[]): Promise<CheckResult> {
  const { code, stdout, stderr } = await startCheck(local, '--json', ...args).ended;
  const lines = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]));
  return {
    code,
    stderr,
    findings: lines.filter((line): line is Finding => 'differences' in line),
    summary: lines.flatMap((line) => ('summary' in line ? [line.summary as Record<string, unknown>] : []))[0],
  };
}
