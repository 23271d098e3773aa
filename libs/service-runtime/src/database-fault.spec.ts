import { databaseFaultOf } from './database-fault.ts';
import { operationalErrorOf } from './http/operational-error-of.ts';
import { watchWrites } from './watch-writes.ts';

const thrown = (fields: object, message = 'It says "hunter2"') => Object.assign(new Error(message), fields);
const ofPostgres = (code: string) => thrown({ code, severity: 'ERROR' });
const ofPrisma = (originalCode: string) =>
  thrown({ code: 'P2039', meta: { driverAdapterError: { cause: { originalCode } } } });

describe('a fault of the database', () => {
  it.each([
    [ofPostgres('53100'), 'disk_full', '30'],
    [ofPrisma('53100'), 'disk_full', '30'],
    [ofPostgres('25006'), 'read_only', '30'],
    [ofPrisma('25006'), 'read_only', '30'],
    [ofPostgres('57014'), 'timeout', '2'],
    [new Error('The database did not respond within 6000 ms.'), 'timeout', '2'],
    [new Error('timeout exceeded when trying to connect'), 'timeout', '2'],
    [thrown({ code: 'P2028' }), 'timeout', '2'],
    [new Error('Connection terminated unexpectedly'), 'unreachable', '2'],
    [ofPostgres('57P01'), 'unreachable', '2'],
    [ofPostgres('08006'), 'unreachable', '2'],
    [ofPostgres('53300'), 'unreachable', '2'],
    [thrown({ code: 'P1001' }), 'unreachable', '2'],
    [
      thrown({ code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'DatabaseNotReachable' } } } }),
      'unreachable',
      '2',
    ],
    [new Error('It failed.', { cause: ofPostgres('53100') }), 'disk_full', '30'],
  ])('is 503 with Retry-After, and shows nothing of the statement: %s', (error, reason, retryAfter) => {
    expect(databaseFaultOf(error)?.reason).toBe(reason);
    const answered = operationalErrorOf(error);
    expect(answered).toMatchObject({ status: 503, code: `database_${reason}`, headers: { 'Retry-After': retryAfter } });
    expect(answered?.detail).not.toContain('hunter2');
  });

  it.each([
    [thrown({ code: '53100' })],
    [ofPostgres('23505')],
    [ofPostgres('53200')],
    [ofPrisma('22P02')],
    [thrown({ code: 'ECONNREFUSED' })],
    [thrown({ code: 'P2002' })],
    ['53100'],
    [null],
  ])('isn’t what any other error says: %s', (error) => {
    expect(databaseFaultOf(error)).toBeUndefined();
  });
});

describe('a refused write', () => {
  let nowMs: number;
  let logged: string[];
  const log = (event: string) => {
    logged.push(event);
  };
  const watch = () => watchWrites({ error: log, info: log }, () => nowMs);
  beforeEach(() => {
    nowMs = 1_000;
    logged = [];
  });

  it('counts for 90 seconds, with the reason, and is logged once', async () => {
    const writes = watch();
    await writes.check();
    writes.note(ofPostgres('53100'));
    nowMs += 50_000;
    writes.note(ofPostgres('53100'));
    nowMs += 89_999;
    await expect(writes.check()).rejects.toThrow('disk_full (SQLSTATE 53100): It says');
    nowMs += 1;
    await writes.check();
    writes.note(ofPostgres('53100'));
    expect(logged).toEqual(['database.writes_refused', 'database.writes_refused']);
  });

  it('isn’t any other error', async () => {
    const writes = watch();
    for (const code of ['57014', '23505', '57P01']) writes.note(ofPostgres(code));
    await writes.check();
    expect(logged).toEqual([]);
  });

  it('is noticed by a ping of a read-only database, until one says that it is writable', async () => {
    const writes = watch();
    writes.notePing(false);
    writes.notePing(true);
    writes.notePing(true);
    await expect(writes.check()).rejects.toThrow('read_only (SQLSTATE 25006): the database is read-only');
    writes.notePing(false);
    await writes.check();
    writes.note(ofPostgres('53100'));
    writes.notePing(false);
    await expect(writes.check()).rejects.toThrow('disk_full');
    expect(logged).toEqual(['database.writes_refused', 'database.writable_again', 'database.writes_refused']);
  });
});
