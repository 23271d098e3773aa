import { dirname, join } from 'node:path';
import type { LocalSettings } from '@blog-content/local-services';
import { startService, type RunningService } from '../processes/start-service.ts';

/** Where a service with this log has its images. */
export function imageFolderOf(logFile: string): string {
  return join(dirname(logFile), 'images');
}

/** Starts public-read-service and waits until it is ready. */
export function startReadService(options: {
  databaseUrl: string;
  /** Either `EVENT_LOG_DATABASE_URL` or `KAFKA_BROKERS`. */
  eventLog: Readonly<Record<string, string>>;
  settings: Pick<LocalSettings, 'ownerSessionJwks' | 'encryptionKeys'>;
  /** Size of its cache in MB; 0 for none. */
  cacheMb: number;
  core: number | undefined;
  logFile: string;
}): Promise<RunningService> {
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
