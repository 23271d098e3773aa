import { parseArgs } from 'node:util';

export const usage = `Usage: npm test [-- options]

Runs all tests on a real PostgreSQL, Kafka and S3 server. The first run builds the S3 server with Go. For static checks, use
npm run lint.

  --only <project>[,…] [file…]    run only these projects, e.g. --only link-resolver, or only files whose path contains a
                                  text; starts only the servers they use
  --no-install                    don't install programs on this machine
  --help                          show help

Tests need Java, Maven, OpenSSL, Python, Go, PHP, Redis, curl, Caddy, PostgreSQL and Chromium. On Debian and Ubuntu, as root
or with sudo, missing ones are installed. Elsewhere you get instructions, and tests that need them are skipped and listed at
the end.

Environment:
  CI                            if set, fail when a program is missing and can't be installed
  DATABASE_URL, KAFKA_BROKERS   existing servers (default: start new ones)
  BLOG_KAFKA=container|java     how to run Kafka
  CHROMIUM                      path of Chromium or Chrome

Exit codes: 0 success, 1 failure, 2 usage error. Tests that time out are rerun alone once.`;

/** What `npm test` was asked to run. */
export interface Options {
  /** The names of projects; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** Parts of paths of spec files; empty for all. */
  readonly files: readonly string[];
  /** Whether missing programs may be installed. */
  readonly install: boolean;
  readonly help: boolean;
}

/** Reads the command line; throws an `Error` that says what is wrong with it. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      install: { type: 'boolean', default: true },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
    allowNegative: true,
  });
  const only = values.only?.split(',').filter((name) => name !== '');
  if (only?.length === 0) throw new Error('--only requires the name of a project.');
  if (positionals.length > 0 && only === undefined) throw new Error('Passing files requires --only <project>.');
  return { only, files: positionals, install: values.install, help: values.help };
}
