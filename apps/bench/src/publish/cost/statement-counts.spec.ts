import { statementsPerPublish } from './statement-counts.ts';

const counts = (calls: Readonly<Record<string, number>>) => ({ 'content-service': new Map(Object.entries(calls)) });

describe('statements a publish', () => {
  it('leave out what runs as often when nobody publishes', () => {
    const counted = { counts: counts({ insert: 20, poll: 31, both: 40 }), publishes: 10, ms: 10_000 };
    const idle = { counts: counts({ poll: 60, both: 40 }), ms: 20_000 };
    expect(statementsPerPublish(counted, idle)).toEqual({
      'content-service': [
        { text: 'insert', perPublish: 2 },
        { text: 'both', perPublish: 2 },
      ],
    });
  });

  it('are whole numbers, which one call more or less does not change', () => {
    const idle = { counts: counts({}), ms: 1_000 };
    const counted = { counts: counts({ insert: 21, sweep: 4 }), publishes: 10, ms: 1_000 };
    expect(statementsPerPublish(counted, idle)).toEqual({ 'content-service': [{ text: 'insert', perPublish: 2 }] });
  });
});
