import type { ServiceName } from '@blog-content/payload-schemas';

/**
 * Options of Node that a service runs with, as its image (ADR 1) and what is deployed of it (ADR 16) set them: one
 * helper thread of V8's, a young generation that costs an idle service little, and for public-read-service a heap that
 * leaves its pod room for the answers, which are outside of it.
 */
export function nodeOptionsOf(service: ServiceName): string[] {
  if (service !== 'public-read-service') return ['--v8-pool-size=1', '--max-semi-space-size=2'];
  return ['--v8-pool-size=1', '--max-old-space-size=256', '--max-semi-space-size=8'];
}
