import type { ServiceName } from '@blog-content/payload-schemas';

/**
 * Options of Node that a service runs with, as its image (ADR 1) and what is deployed of it (ADR 16) set them: one
 * helper thread of V8's, a collector that the service may call once it has started, and for public-read-service a heap
 * that leaves its pod room for the answers, which are outside of it.
 */
export function nodeOptionsOf(service: ServiceName): string[] {
  const options = ['--v8-pool-size=1', '--expose-gc'];
  return service === 'public-read-service'
    ? [...options, '--max-old-space-size=256', '--max-semi-space-size=8']
    : options;
}
