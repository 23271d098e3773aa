import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';

/** Secrets of services in files, as a cluster mounts them. */
export interface SecretFiles {
  /** What a service reads at its next start. */
  set(service: ServiceName, name: string, value: string): void;
  /** The variables that name the files that are set so far. */
  environment(): Record<ServiceName, Record<string, string>>;
}

export function createSecretFiles(folder: string): SecretFiles {
  const names = new Map<ServiceName, Set<string>>(serviceNames.map((service) => [service, new Set()]));
  return {
    set(service, name, value) {
      mkdirSync(join(folder, service), { recursive: true });
      writeFileSync(join(folder, service, name), `${value}\n`, { mode: 0o600 });
      names.get(service)?.add(name);
    },
    environment: () =>
      Object.fromEntries(
        [...names].map(([service, files]) => [
          service,
          // An empty variable counts as not set: the local services have values of their own.
          Object.fromEntries(
            [...files].flatMap((name) => [
              [name, ''],
              [`${name}_FILE`, join(folder, service, name)],
            ]),
          ),
        ]),
      ) as Record<ServiceName, Record<string, string>>,
  };
}
