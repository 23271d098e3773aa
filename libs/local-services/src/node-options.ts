import type { ServiceName } from '@blog-content/payload-schemas';

/**
 * Options of Node that a service runs with, as its image (ADR 1) and what is deployed of it (ADR 16) set them: one
 * helper thread of V8's, and a collector that the service may call once it has started. public-read-service does not
 * call it; its heap leaves its pod room for the answers, which are outside of it.
 */
export function nodeOptionsOf(service: ServiceName): string[] {
  return service === 'public-read-service'
    ? ['--v8-pool-size=1', '--max-old-space-size=256', '--max-semi-space-size=8']
    : ['--v8-pool-size=1', '--expose-gc'];
}
