import { constants } from 'node:os';
import type { z } from 'zod';
import { baseEnvironment } from './config/base-environment.ts';
import { ConfigError, type Environment } from './config/load-config.ts';
import { createLogger, type Logger, type LogLevel } from './log/logger.ts';

/** Exit status for a wrong configuration (`EX_CONFIG`): starting again will not help. */
export const EXIT_CONFIG = 78;

/** What a service's `start` is given. */
export interface ServiceContext {
  readonly name: string;
  readonly env: Environment;
  /**
   * Start defers the release of everything it acquires here; released last-in first-out, also when start fails
   * half-way.
   */
  readonly resources: AsyncDisposableStack;
  /** Writes at `LOG_LEVEL`. */
  readonly logger: Logger;
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly draining: AbortSignal;
  readonly isDraining: () => boolean;
}

/**
 * The frame of a service's `main.ts`. Runs `start`, then waits for a signal; the process ends here, with status
 * - 0 after SIGTERM or SIGINT, everything released in order;
 * - 1 when the start fails, a release fails or hangs longer than `SHUTDOWN_TIMEOUT_MS`, or an error went uncaught;
 * - 78 when the environment is wrong, with one readable text on standard error;
 * - 128 + the signal's number on a second signal, immediately.
 *
 * @param start resolves once the service serves. What it returns (ports, `describeConfig`) is in the line
 *   `service.started`.
 */
export async function runService(
  name: string,
  start: (context: ServiceContext) => Promise<object | void>,
): Promise<never> {
  // eslint-disable-next-line no-restricted-properties -- the frame of every main.ts, which hands the environment on as a parameter
  const env: Environment = process.env;
  const { logLevel, shutdownTimeoutMs } = frameSettings(env);
  const logger = createLogger(name, logLevel);
  const resources = new AsyncDisposableStack();
  const stopping = new AbortController();
  const limitShutdown = once(() => {
    setTimeout(() => {
      logger.error('service.shutdown_timed_out', { shutdown_timeout_ms: shutdownTimeoutMs });
      process.exit(1);
    }, shutdownTimeoutMs);
  });
  exitOnUncaught(logger);
  const signalled = hearSignals((signal) => {
    logger.info('service.stopping', { signal });
    limitShutdown();
    stopping.abort();
  });

  const startedAt = performance.now();
  let status = 0;
  try {
    const isDraining = () => stopping.signal.aborted;
    const fields = await start({ name, env, resources, logger, draining: stopping.signal, isDraining });
    logger.info('service.started', { ...fields, pid: process.pid, duration_ms: since(startedAt) });
    await signalled;
  } catch (error) {
    // A start that is told to stop may end in any way: what it was doing is not wanted any more.
    if (stopping.signal.aborted) logger.info('service.start_abandoned', { error });
    else status = reportFailedStart(logger, error);
  }
  limitShutdown();
  const stoppingAt = performance.now();
  try {
    await resources.disposeAsync();
    logger.info('service.stopped', { duration_ms: since(stoppingAt) });
  } catch (error) {
    logger.error('service.stop_failed', { error });
    status ||= 1;
  }
  process.exit(status);
}

/**
 * What the frame needs before the config is loaded. Wrong values are `loadConfig`'s to refuse, in one message with all
 * others.
 */
function frameSettings(env: Environment): { logLevel: LogLevel; shutdownTimeoutMs: number } {
  const { LOG_LEVEL, SHUTDOWN_TIMEOUT_MS } = baseEnvironment;
  const read = <S extends z.ZodType>(schema: S, text: string | undefined): z.output<S> =>
    schema.safeParse(text === '' ? undefined : text).data ?? schema.parse(undefined);
  return {
    logLevel: read(LOG_LEVEL, env['LOG_LEVEL']),
    shutdownTimeoutMs: read(SHUTDOWN_TIMEOUT_MS, env['SHUTDOWN_TIMEOUT_MS']),
  };
}

/** Resolves on the first SIGTERM or SIGINT, after `onFirst`; the second ends the process immediately. */
function hearSignals(onFirst: (signal: NodeJS.Signals) => void): Promise<void> {
  return new Promise((resolve) => {
    let heard = false;
    const hear = (signal: NodeJS.Signals) => {
      if (heard) process.exit(128 + constants.signals[signal]);
      heard = true;
      onFirst(signal);
      resolve();
    };
    process.on('SIGTERM', hear);
    process.on('SIGINT', hear);
  });
}

/**
 * After an error nobody has caught, nothing is known of the state: all that must last is in the database, so end here.
 */
function exitOnUncaught(logger: Logger): void {
  process.on('uncaughtException', (error: unknown, origin) => {
    logger.error('process.crashed', { origin, error });
    process.exit(1);
  });
}

/** Tells why the start failed, and gives the exit status for it. */
function reportFailedStart(logger: Logger, error: unknown): number {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_CONFIG;
  }
  logger.error('service.start_failed', { error });
  return 1;
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}

const since = (startedAt: number): number => Math.round(performance.now() - startedAt);
