import { connectionsDuringUpdate, MAX_CONNECTIONS } from './connection-budget.ts';

const ofEach = (replicas: number) => ({
  'content-service': replicas,
  'public-read-service': replicas,
  'webhook-dispatcher': replicas,
});

describe('connections during an update, on one server for all databases', () => {
  it('fit PostgreSQL’s default limit with one replica of each service', () => {
    expect(connectionsDuringUpdate(ofEach(1))).toBe(88);
    expect(connectionsDuringUpdate(ofEach(1))).toBeLessThanOrEqual(MAX_CONNECTIONS.postgresDefault);
  });

  it('fit the limit where we run PostgreSQL with two of each', () => {
    expect(connectionsDuringUpdate(ofEach(2))).toBe(170);
    expect(connectionsDuringUpdate(ofEach(2))).toBeLessThanOrEqual(MAX_CONNECTIONS.ours);
  });

  it('count each service’s replicas on their own', () => {
    const oneMore = { ...ofEach(2), 'content-service': 3 };
    expect(connectionsDuringUpdate(oneMore) - connectionsDuringUpdate(ofEach(2))).toBe(22);
  });
});
