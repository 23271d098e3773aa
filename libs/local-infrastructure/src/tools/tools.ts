import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { mayMount } from '../postgres/small-disk.ts';
import { PGBOUNCER } from '../postgres/start-pgbouncer.ts';
import { CHROMIUM_PROGRAMS } from './chromium.ts';

/** A program of the machine, beside Node, that some tests or options need. */
export interface Tool {
  /** With the oldest version that does. */
  readonly name: string;
  readonly why: string;
  /** Whether it is there, and new enough. */
  readonly check: () => boolean;
  /** The package of Debian and Ubuntu: the first that the system knows. */
  readonly debian: readonly string[];
  /** What comes along with it there. */
  readonly alsoDebian?: readonly string[];
  /** Without what a package recommends for a desktop or a server. */
  readonly isLean?: true;
  readonly brew: string;
  /** Matches the source of a test that needs it, or of what that test imports. */
  readonly usedBy: RegExp;
  /** Whether the files of such tests are left out without it; else the tests leave themselves out. */
  readonly skipsFiles: boolean;
}

const CHECK_TIMEOUT_MS = 20_000;

/** What a command prints, on both streams; empty when it cannot be run or fails. */
function printed(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: CHECK_TIMEOUT_MS });
  return status === 0 ? stdout + stderr : '';
}

/** Without running it. */
const isInPath = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Whether a printed version is at least `major.minor`. */
function isAtLeast(text: string, pattern: RegExp, [major, minor]: readonly [number, number]): boolean {
  const [, foundMajor, foundMinor] = pattern.exec(text) ?? [];
  return Number(foundMajor) > major || (Number(foundMajor) === major && Number(foundMinor ?? 0) >= minor);
}

const KAFKA = /\b(?:testKafkaBrokers|startKafka|kafkaAvailability|describeEachLog|runDrill)\b/;
const GUIDES = /\bfollowGuide\(/;

/** Where Debian, Red Hat and Homebrew install the server's tools, which the embedded server lacks. */
export const PG_BASEBACKUP = [
  '/usr/lib/postgresql/*/bin/pg_basebackup',
  '/usr/pgsql-*/bin/pg_basebackup',
  '/{opt/homebrew,usr/local}/opt/postgresql@*/bin/pg_basebackup',
];

/** All of them, in the order in which they are named to people. */
export const TOOLS = {
  java: {
    name: 'Java 17',
    why: 'runs Apache Kafka',
    check: () => isAtLeast(printed('java', '-version'), /version "(\d+)(?:\.(\d+))?/, [17, 0]),
    debian: ['openjdk-17-jre-headless', 'openjdk-21-jre-headless', 'default-jre-headless'],
    brew: 'openjdk@21',
    usedBy: KAFKA,
    skipsFiles: false,
  },
  maven: {
    name: 'Maven',
    why: 'downloads Apache Kafka, once',
    check: () => isInPath('mvn'),
    debian: ['maven'],
    brew: 'maven',
    usedBy: KAFKA,
    skipsFiles: false,
  },
  openssl: {
    name: 'OpenSSL',
    why: 'makes the certificates of test servers',
    check: () => printed('openssl', 'version') !== '',
    debian: ['openssl'],
    brew: 'openssl',
    usedBy: /'openssl'|\bcreateTestCertificate\b/,
    skipsFiles: true,
  },
  python: {
    name: 'Python 3.9 with venv',
    why: 'runs the Python receiver and the guides',
    check: () =>
      isAtLeast(printed('python3', '-c', 'import ensurepip, sys; print(sys.version)'), /^(\d+)\.(\d+)/, [3, 9]),
    debian: ['python3-venv'],
    brew: 'python',
    usedBy: new RegExp(`(?:\\(|program: )'python3'|${GUIDES.source}`),
    skipsFiles: true,
  },
  pip: {
    name: 'pip',
    why: 'installs a small language model',
    check: () => printed('python3', '-m', 'pip', '--version') !== '',
    debian: ['python3-pip'],
    brew: 'python',
    usedBy: /\bstartSmallModel\b/,
    skipsFiles: false,
  },
  go: {
    name: 'Go 1.21',
    why: 'builds the S3 server, Helm and the Go receiver',
    check: () => isAtLeast(printed('go', 'version'), /go(\d+)\.(\d+)/, [1, 21]),
    debian: ['golang-go'],
    brew: 'go',
    usedBy: new RegExp(`\\b(?:s3Availability|hasGoProgram)\\b|'go'|${GUIDES.source}`),
    skipsFiles: false,
  },
  php: {
    name: 'PHP 8',
    why: 'runs the PHP receiver',
    check: () => isAtLeast(printed('php', '--version'), /PHP (\d+)\.(\d+)/, [8, 0]),
    debian: ['php-cli'],
    isLean: true,
    brew: 'php',
    usedBy: new RegExp(`'php'|${GUIDES.source}`),
    skipsFiles: false,
  },
  redis: {
    name: 'Redis',
    why: 'stores the state of a receiver',
    check: () => printed('redis-server', '--version') !== '',
    debian: ['redis-server'],
    isLean: true,
    brew: 'redis',
    usedBy: /'redis-server'/,
    skipsFiles: false,
  },
  curl: {
    name: 'curl',
    why: 'sends the requests in the guides',
    check: () => printed('curl', '--version') !== '',
    debian: ['curl'],
    brew: 'curl',
    usedBy: GUIDES,
    skipsFiles: true,
  },
  caddy: {
    name: 'Caddy 2',
    why: 'serves deployments',
    check: () => isAtLeast(printed('caddy', 'version'), /v?(\d+)\.(\d+)/, [2, 0]),
    debian: ['caddy'],
    isLean: true,
    brew: 'caddy',
    usedBy: /'caddy'/,
    skipsFiles: true,
  },
  prometheus: {
    name: 'Prometheus',
    why: 'tests alerts and dashboards',
    check: () => isInPath('promtool') && isInPath('prometheus'),
    debian: ['prometheus'],
    isLean: true,
    brew: 'prometheus',
    usedBy: /'(?:promtool|prometheus)'/,
    skipsFiles: true,
  },
  pgbouncer: {
    name: 'PgBouncer',
    why: 'pools database connections',
    check: () => existsSync(PGBOUNCER),
    debian: ['pgbouncer'],
    isLean: true,
    brew: 'pgbouncer',
    usedBy: /\bstartPgbouncer\b/,
    skipsFiles: true,
  },
  mount: {
    name: 'root with the right to mount',
    why: 'makes a disk that gets full',
    check: mayMount,
    debian: ['util-linux'],
    brew: 'util-linux',
    usedBy: /\bmountSmallDisk\b/,
    skipsFiles: true,
  },
  postgres: {
    name: 'PostgreSQL 15',
    why: 'rehearses backups and fail-overs',
    check: () => globSync(PG_BASEBACKUP).length > 0,
    debian: ['postgresql'],
    isLean: true,
    brew: 'postgresql@17',
    usedBy: /\brunDrill\b/,
    skipsFiles: true,
  },
  chromium: {
    name: 'Chromium',
    why: 'runs the dashboard tests',
    check: () => CHROMIUM_PROGRAMS.some((program) => existsSync(program)),
    debian: ['chromium-headless-shell', 'chromium'],
    alsoDebian: ['fonts-liberation'],
    isLean: true,
    brew: '--cask google-chrome',
    usedBy: /\bstartBrowser\b/,
    skipsFiles: true,
  },
} as const satisfies Readonly<Record<string, Tool>>;

/** Those that are not there. */
export const missingOf = (tools: readonly Tool[]): Tool[] => tools.filter(({ check }) => !check());
