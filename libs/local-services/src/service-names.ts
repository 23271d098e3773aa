/** The services of the product, as their folders and databases are named. */
export const serviceNames = ['content-service', 'public-read-service', 'webhook-dispatcher'] as const;
export type ServiceName = (typeof serviceNames)[number];
