import { parseArgs } from 'node:util';
import { z } from 'zod';

export const USAGE = `Usage: npm run check-consistency [-- options]

Compares what the public API serves, what was sent to receivers, and the event log with content-service, project by
project, while the services run. Prints each post and project that differs, with what each side says. A difference is
printed only if it stays after everything on its way was processed. Changes nothing without --repair.

  --repair             make content-service's version true everywhere: remove what it doesn't publish, and emit again
                       what is missing or stale. Receivers get posts again only if they may have another version
  --tell-receivers     with --repair: send blog.deleted or blog.unpublished to receivers that may have a post that
                       content-service doesn't publish
  --project <id>       only this project
  --progress <file>    save progress in this file; run again with the same file to continue
  --json               print JSON, one object per line; the last is the summary
  --help               print this

Uses the environment of content-service, and the databases of the other services, without a pooler in transaction mode:
  DATABASE_URL                       PostgreSQL database of content-service
  DATABASE_SESSION_URL               direct connection to it, if DATABASE_URL uses such a pooler
  PUBLIC_READ_SERVICE_DATABASE_URL   PostgreSQL database of public-read-service
  WEBHOOK_DISPATCHER_DATABASE_URL    PostgreSQL database of webhook-dispatcher
  KAFKA_BROKERS, KAFKA_…             the event log
  EVENT_LOG_DATABASE_URL             the event log if it is PostgreSQL; set this or KAFKA_BROKERS
  IMAGE_BASE_URL                     base URL of images, for --repair
  LOG_LEVEL                          debug, info, warn or error; defaults to warn

Writes progress to standard error every five seconds. Exit codes: 0 nothing differs, or everything was repaired,
1 something differs or could not be judged, 2 usage error, 3 the check failed, 78 invalid environment.
`;

export interface Options {
  readonly repairs: boolean;
  readonly tellsReceivers: boolean;
  readonly projectId: string | undefined;
  readonly progressFile: string | undefined;
  readonly isJson: boolean;
}

/** @throws TypeError that says what is wrong */
export function parseOptions(args: string[]): Options | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h' },
      repair: { type: 'boolean', default: false },
      'tell-receivers': { type: 'boolean', default: false },
      project: { type: 'string' },
      progress: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.help === true) return 'help';
  const { repair: repairs, 'tell-receivers': tellsReceivers, project, progress: progressFile, json: isJson } = values;
  if (tellsReceivers && !repairs) throw new TypeError('--tell-receivers needs --repair.');
  if (progressFile === '') throw new TypeError('--progress needs the path of a file.');
  if (project !== undefined && !z.uuid().safeParse(project).success) {
    throw new TypeError(`--project must be the id of a project, a UUID (got “${project}”).`);
  }
  return { repairs, tellsReceivers, projectId: project?.toLowerCase(), progressFile, isJson };
}
