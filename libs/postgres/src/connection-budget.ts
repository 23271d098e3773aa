/** Most connections of one replica of each service to its database, all uses together, with its defaults. */
export const CONNECTIONS_OF_REPLICA = {
  'content-service': 11,
  'public-read-service': 15,
  'webhook-dispatcher': 15,
} as const;

/** PostgreSQL's `max_connections` where it says nothing, and where we run it. */
export const MAX_CONNECTIONS = { postgresDefault: 100, ours: 200 } as const;

/** What PostgreSQL keeps for superusers, and a migration of each service. */
export const RESERVED_CONNECTIONS = 3 + Object.keys(CONNECTIONS_OF_REPLICA).length;
