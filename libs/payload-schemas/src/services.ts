/**
 * The services of the product, as their folders, databases, images and consumer groups are named. A new one is named
 * here; `services.spec.ts` of libs/local-services then says which file beside the sources lacks it.
 */
export const serviceNames = ['content-service', 'public-read-service', 'webhook-dispatcher'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** One value for each service. */
export function forEachService<Value>(valueOf: (name: ServiceName) => Value): Record<ServiceName, Value> {
  return Object.fromEntries(serviceNames.map((name) => [name, valueOf(name)])) as Record<ServiceName, Value>;
}
