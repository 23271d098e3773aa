import { dirname, join } from 'node:path';
import type { LocalSettings } from '@blog-content/local-services';
import { startService, type RunningService } from '../processes/start-service.ts';
import type { BenchContext } from './bench-context.ts';

/** Where a service with this log has its images. */
export function imageFolderOf(logFile: string): string {
  return join(dirname(logFile), 'images');
}

interface ReadServiceOptions {
  readonly databaseUrl: string;
  /** Either `EVENT_LOG_DATABASE_URL` or `KAFKA_BROKERS`. */
  readonly eventLog: Readonly<Record<string, string>>;
  readonly settings: Pick<LocalSettings, 'ownerSessionJwks' | 'encryptionKeys'>;
  /** Size of its cache in MB; 0 for none. */
  readonly cacheMb: number;
  readonly core: number | undefined;
  readonly logFile: string;
}

/** Starts public-read-service and waits until it is ready. */
export function startReadService(options: ReadServiceOptions): Promise<RunningService> {
  return startService('public-read-service', {
    environment: {
      DATABASE_URL: options.databaseUrl,
      ...options.eventLog,
      OWNER_SESSION_JWKS: options.settings.ownerSessionJwks,
      ENCRYPTION_KEYS: options.settings.encryptionKeys,
      READ_CACHE_MB: String(options.cacheMb),
      IMAGE_DISK_PATH: imageFolderOf(options.logFile),
    },
    core: options.core,
    logFile: options.logFile,
  });
}

/** The same on the server's core; with the bench's read model and event log, unless others are given. */
export function startMeasuredService(
  { dataSetUrl, eventLogUrl, settings, cores }: BenchContext,
  options: Pick<ReadServiceOptions, 'cacheMb' | 'logFile'> &
    Partial<Pick<ReadServiceOptions, 'databaseUrl' | 'eventLog'>>,
): Promise<RunningService> {
  return startReadService({
    databaseUrl: dataSetUrl,
    eventLog: { EVENT_LOG_DATABASE_URL: eventLogUrl },
    settings,
    core: cores?.server,
    ...options,
  });
}
