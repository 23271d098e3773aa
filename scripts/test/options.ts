import { parseArgs } from 'node:util';

export const usage = `Usage: npm test [-- options]

Starts a real PostgreSQL, a real Kafka and a real S3 server, and runs all tests on them. The first run on a machine builds the
S3 server with Go. npm run lint runs the static checks.

  --only <project>[,…] [file …]   tests of one project, e.g. --only link-resolver, or only files whose paths contain one of the
                                  texts. Servers start only if these tests use them
  --no-install                    don't install programs on this machine
  --help                          show this

It first checks for the programs tests need (Java, Maven, OpenSSL, Python, Go, PHP, Redis, curl, Caddy, Chromium). On Debian
and Ubuntu, as root or with sudo, it installs missing ones. On other systems it prints how to install them, skips the tests
that need them, and lists each skip at the end.

Environment:
  CI                            if set, a missing program that can't be installed fails the run before any test
  DATABASE_URL, KAFKA_BROKERS   servers to use instead of starting new ones
  BLOG_KAFKA=container|java     pick one way to run Kafka
  CHROMIUM                      the path of a Chromium or Chrome

Exit codes: 0 passed, 1 failed, 2 usage error. A test that timed out runs again, alone. Other failures stay failures.`;

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
  if (only?.length === 0) throw new Error('--only needs the name of a project.');
  if (positionals.length > 0 && only === undefined) throw new Error('Files are given together with --only <project>.');
  return { only, files: positionals, install: values.install, help: values.help };
}
