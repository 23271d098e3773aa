/** Most connections of one replica of each service to its database, all uses together, with its defaults. */
export const CONNECTIONS_OF_REPLICA = {
  'content-service': 11,
  'public-read-service': 15,
  'webhook-dispatcher': 15,
} as const;

/** PostgreSQL's `max_connections` where it says nothing, and where we run it. */
export const MAX_CONNECTIONS = { postgresDefault: 100, ours: 200 } as const;

/** What PostgreSQL keeps for superusers, and a migration of each service. */
const RESERVED_CONNECTIONS = 3 + Object.keys(CONNECTIONS_OF_REPLICA).length;

/**
 * Most connections of all services together while each is updated. A rolling update starts a pod before another stops,
 * and stopping takes longer than starting: for a while, each service has its old pods and all the new ones.
 *
 * @param replicas of each service before and after the update
 */
export function connectionsDuringUpdate(
  replicas: Readonly<Record<keyof typeof CONNECTIONS_OF_REPLICA, number>>,
): number {
  const services = Object.keys(CONNECTIONS_OF_REPLICA) as (keyof typeof CONNECTIONS_OF_REPLICA)[];
  return services.reduce((sum, name) => sum + 2 * replicas[name] * CONNECTIONS_OF_REPLICA[name], RESERVED_CONNECTIONS);
}
