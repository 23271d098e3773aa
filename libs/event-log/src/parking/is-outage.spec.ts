import { AppendFailed, isOutage } from './is-outage.ts';

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('an error of an outage', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a connection that PostgreSQL closed', withCode('57P01')],
    ['too many connections', withCode('53300')],
    ['a full disk', withCode('53100')],
    ['a read-only database', withCode('25006')],
    ['a statement that took too long', withCode('57014')],
    ['a deadlock', withCode('40P01')],
    ['a lock that was not available', withCode('55P03')],
    ['an error of the disk', withCode('58030')],
    ['a broken connection without a code', new Error('Connection terminated unexpectedly')],
    ['a pool that gave none', new Error('timeout exceeded when trying to connect')],
    ['a database that Prisma can’t reach', withCode('P1001')],
    ['a log that can’t be appended to', new AppendFailed(new Error('any'))],
    ['an error of Kafka', Object.assign(new Error('The producer is disconnected'), { name: 'KafkaJSError' })],
    ['one with such a cause', new Error('publish', { cause: new Error('query', { cause: withCode('08006') }) })],
  ])('is %s', (_name, error) => expect(isOutage(error)).toBe(true));

  it.each([
    ['what a trigger raised', withCode('P0001')],
    ['a violated constraint', withCode('23505')],
    ['a value that can’t be stored', withCode('22P05')],
    ['a missing column', withCode('42703')],
    ['a bug', new TypeError('Cannot read properties of undefined')],
    ['no error at all', 'a text'],
  ])('is not %s', (_name, error) => expect(isOutage(error)).toBe(false));

  it('is looked for in a chain of causes that has no end', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    expect(isOutage(circle)).toBe(false);
  });
});
