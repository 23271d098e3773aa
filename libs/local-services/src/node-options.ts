import type { ServiceName } from '@blog-content/payload-schemas';

/**
 * Options of Node that a service runs with, as its image (ADR 1) and what is deployed of it (ADR 17) set them: one
 * helper thread of V8's, a young generation by what the service does, and a collector that it may call once it has
 * started. public-read-service does not call it; its heap leaves its pod room for the answers, which are outside of it.
 */
export function nodeOptionsOf(service: ServiceName): string[] {
  return OPTIONS[service];
}

const OPTIONS: Readonly<Record<ServiceName, string[]>> = {
  'content-service': ['--v8-pool-size=1', '--expose-gc', '--max-semi-space-size=1'],
  'public-read-service': ['--v8-pool-size=1', '--max-old-space-size=256', '--max-semi-space-size=16'],
  'webhook-dispatcher': ['--v8-pool-size=1', '--expose-gc', '--max-semi-space-size=4'],
};
