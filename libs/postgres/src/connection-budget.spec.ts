import { CONNECTIONS_OF_REPLICA, MAX_CONNECTIONS, RESERVED_CONNECTIONS } from './connection-budget.ts';

const ofOneEach = Object.values(CONNECTIONS_OF_REPLICA).reduce((sum, count) => sum + count, 0);

describe('the budget of connections, on one server for all databases', () => {
  it('has room for two replicas of each service within PostgreSQL’s default limit', () => {
    expect(2 * ofOneEach + RESERVED_CONNECTIONS).toBeLessThanOrEqual(MAX_CONNECTIONS.postgresDefault);
  });

  it('has room for three of each, and a fourth while they are rolled, where we run PostgreSQL', () => {
    expect(4 * ofOneEach + RESERVED_CONNECTIONS).toBeLessThanOrEqual(MAX_CONNECTIONS.ours);
  });
});
