import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hasMaven, kafkaJarsFolder } from './kafka-jars.ts';

/** Where a Kafka broker comes from. */
export type KafkaSource = 'given' | 'container' | 'java';

/** The answer of `kafkaAvailability`. */
export type KafkaAvailability =
  | { readonly available: true; readonly how: KafkaSource }
  | { readonly available: false; readonly reason: string };

/** Thrown when this machine has nothing to run Kafka with; the message says what to install. */
export class KafkaUnavailableError extends Error {
  override readonly name = 'KafkaUnavailableError';
}

/** Brokers given from outside: `brokers`, or the comma-separated variable `KAFKA_BROKERS`. Empty when neither is. */
export function givenBrokers(brokers: readonly string[] | undefined): string[] {
  const list = brokers ?? (process.env['KAFKA_BROKERS'] ?? '').split(',');
  return list.map((broker) => broker.trim()).filter((broker) => broker !== '');
}

/** How a broker may be run here: in any way that the machine has, or only in one. */
export type KafkaMode = 'auto' | 'container' | 'java';

/** What this machine could run Kafka with, best first. `mode` defaults to the variable `BLOG_KAFKA`, then to `auto`. */
export async function kafkaSources(mode?: KafkaMode): Promise<readonly ('container' | 'java')[]> {
  const forced = mode ?? (process.env['BLOG_KAFKA'] || 'auto');
  if (forced !== 'auto' && forced !== 'java' && forced !== 'container') {
    throw new KafkaUnavailableError(
      `BLOG_KAFKA must be "auto", "java" or "container" (got ${JSON.stringify(forced)}).`,
    );
  }
  const [container, java] = await Promise.all([
    forced !== 'java' && containerEngineAnswers(),
    forced !== 'container' && javaCanRunKafka(),
  ]);
  return [...(container ? (['container'] as const) : []), ...(java ? (['java'] as const) : [])];
}

/** What to tell someone whose machine has no source of Kafka. */
export const howToGetKafka =
  'Apache Kafka requires one of: KAFKA_BROKERS for a running broker; a running container engine (Docker or Podman); ' +
  'or Java 17 or newer with Maven.';

/**
 * Tells, within about a second and without starting anything, how `startKafka` would get a broker, in this `mode` if
 * given.
 */
export async function kafkaAvailability(mode?: KafkaMode): Promise<KafkaAvailability> {
  if (mode === undefined && givenBrokers(undefined).length > 0) return { available: true, how: 'given' };
  try {
    const [how] = await kafkaSources(mode);
    return how === undefined ? { available: false, reason: howToGetKafka } : { available: true, how };
  } catch (error) {
    if (error instanceof KafkaUnavailableError) return { available: false, reason: error.message };
    throw error;
  }
}

/** The `java` of JAVA_HOME, else of the PATH. */
export function javaCommand(): string {
  const home = process.env['JAVA_HOME'] ?? '';
  const command = join(home, 'bin', 'java');
  return home !== '' && existsSync(command) ? command : 'java';
}

async function javaCanRunKafka(): Promise<boolean> {
  if (!existsSync(await kafkaJarsFolder()) && !hasMaven()) return false;
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(javaCommand(), ['-version'], { timeout: 5_000 }, (error, _stdout, stderr) => resolve(error ? '' : stderr));
  const version = /version "(\d+)/.exec(await promise)?.[1];
  return Number(version ?? 0) >= 17;
}

/** Sockets of the usual engines; DOCKER_HOST comes before them. */
async function containerEngineAnswers(): Promise<boolean> {
  const named = process.env['DOCKER_HOST'] ?? '';
  if (named.startsWith('tcp://')) {
    const { hostname, port } = new URL(named);
    return answersPing({ host: hostname, port: Number(port || 2375) });
  }
  const sockets = named.startsWith('unix://')
    ? [named.slice('unix://'.length)]
    : ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')];
  for (const socketPath of sockets) {
    if (existsSync(socketPath) && (await answersPing({ socketPath }))) return true;
  }
  return false;
}

async function answersPing(target: { socketPath: string } | { host: string; port: number }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const ping = request({ ...target, path: '/_ping', timeout: 1_000 }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  ping.on('timeout', () => ping.destroy());
  ping.on('error', () => resolve(false));
  ping.on('close', () => resolve(false));
  ping.end();
  return promise;
}
