#!/usr/bin/env node
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openApi } from './api.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Command, CommandContext } from './commands/command.ts';
import { exportProject } from './commands/export.ts';
import { importFiles } from './commands/import/import.ts';
import { listen } from './commands/listen.ts';
import { list, projects, publish, unpublish } from './commands/posts.ts';
import { redirects } from './commands/redirects.ts';
import { signIn, signOut } from './commands/sign-in.ts';
import { types } from './commands/types.ts';
import { createCredentialStore } from './credentials.ts';

const commands: Readonly<Record<string, Command>> = {
  'sign-in': signIn,
  'sign-out': signOut,
  projects,
  list,
  publish,
  unpublish,
  import: importFiles,
  export: exportProject,
  redirects,
  types,
  listen,
};

const usage = `Usage: blog <command> [options]

  sign-in     sign in as an owner or an agent; credentials are stored for your user only
  sign-out    sign out and delete the stored credentials
  projects    list your projects
  list        list posts
  publish     publish posts
  unpublish   unpublish posts
  import      import posts from files, or from a WordPress or Ghost export
  export      export everything to an archive
  redirects   write redirects of renamed posts for your site's host
  types       write the TypeScript type of a post's data
  listen      forward webhooks to localhost

  --project <id>   choose a project if you have several
  --help           show help, also for a command

Exit codes: 0 success, 1 failure, 2 usage error.`;

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(usage);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`Unknown command “${name}”.\n\n${usage}`);
    return 2;
  }
  const ended = new AbortController();
  process.once('SIGINT', () => ended.abort());
  process.once('SIGTERM', () => ended.abort());
  try {
    const { values, positionals } = parse(command, args);
    if (values['help']) {
      console.log(`Usage: ${command.usage}`);
      return 0;
    }
    const store = createCredentialStore(process.env);
    const project = values['project'] || process.env['BLOG_PROJECT'] || undefined;
    const code = await command.run({
      positionals,
      values,
      environment: process.env,
      store,
      signal: ended.signal,
      api: () => openApi(store, typeof project === 'string' ? project : undefined, ended.signal),
      print: (line) => console.log(line),
    });
    return code ?? 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\nUsage: ${command.usage}`);
      return 2;
    }
    if (ended.signal.aborted) {
      console.error('Stopped. Work already started continues on the service.');
      return 1;
    }
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    return 1;
  }
}

function parse(command: Command, args: string[]) {
  const types: Record<string, 'string' | 'boolean'> = { ...command.options, project: 'string', help: 'boolean' };
  const options = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    // None may be given twice, so none is a list.
    return { values: values as CommandContext['values'], positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

// A reader such as `head` may end first. The import continues.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await main();
