import { parseArgs } from 'node:util';

export const usage = `Usage: npm test [-- options]

Runs all tests on a real PostgreSQL, a real Kafka and a real S3 server, which it starts. The S3 server is built with Go the
first time, once on each machine. npm run lint runs the static checks.

  --only <project>[,…] [file …]   tests of one project, e.g. --only link-resolver; of it the files whose paths contain one of
                                  the texts. Servers are started only if these tests use them
  --no-install                    install no programs on this machine
  --help                          show this

Programs that tests need beside Node (Java, Maven, OpenSSL, Python, Go, PHP, Redis, curl, Caddy, Chromium) are looked for
first. On Debian and Ubuntu, as root or with sudo, what is missing is installed. Elsewhere the run prints how to install it,
skips the tests that need it, and lists them at the end.

Environment:
  CI                            when set, a program that is missing and cannot be installed fails the run before any test
  DATABASE_URL, KAFKA_BROKERS   servers to use instead of starting some
  BLOG_KAFKA=container|java     force one way of starting Kafka
  CHROMIUM                      the path of a Chromium or Chrome

Exit status: 0 passed, 1 failed, 2 wrong options. A test that exceeded its time limit is run again, alone; whatever else
failed stays failed.`;

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
