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
  listen,
};

const usage = `Usage: blog <command> [options]

  sign-in     as an owner or an agent; what is kept can be read by you alone
  sign-out
  projects    list your projects
  list        list posts
  publish     publish posts
  unpublish   take posts down
  import      make posts of files, or of an export of WordPress or Ghost
  export      write everything into an archive
  redirects   write redirects of renamed posts for your site's host
  listen      send webhooks to a receiver on this machine, too

  --project <id>   of an owner with several projects
  --help           of a command, too

Ends with 0, with 1 when something failed, with 2 when it was not understood.`;

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(usage);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`There is no command “${name}”.\n\n${usage}`);
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
      console.error('Stopped. What the service has begun goes on there.');
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

// A reader such as `head` may end first: an import goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await main();
