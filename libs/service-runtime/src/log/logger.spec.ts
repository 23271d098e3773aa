import { spawnSync } from 'node:child_process';
import { recordingLogger } from '../../test/recording-logger.ts';
import { redactText } from './logger.ts';

describe('createLogger', () => {
  it('writes one JSON object a line: time, level, service, event, fields', () => {
    const recording = recordingLogger();
    recording.logger.warn('delivery.attempted', { blog_id: 'b1', status: 503 });
    expect(recording.lines).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        level: 'warn',
        service: 'example-service',
        event: 'delivery.attempted',
        blog_id: 'b1',
        status: 503,
      },
    ]);
  });

  it('writes any value in one line', () => {
    const recording = recordingLogger();
    recording.logger.info('x', { text: 'a\nb\r\u0000' });
    expect(recording.text().match(/\n/g)).toHaveLength(1);
  });

  it('adds a child’s fields to each of its lines, the line’s own winning', () => {
    const recording = recordingLogger();
    recording.logger.child({ a: 1, b: 1 }).child({ c: 1 }).info('x', { b: 2 });
    expect(recording.lines[0]).toMatchObject({ a: 1, b: 2, c: 1 });
  });

  it('lets no field take the place of what every line has', () => {
    const recording = recordingLogger();
    recording.logger.info('x', { event: 'blog.published', level: 'error', message: 'kept' });
    expect(recording.lines[0]).toMatchObject({
      event: 'x',
      event_: 'blog.published',
      level: 'info',
      level_: 'error',
      message: 'kept',
    });
  });
});

describe('what a log line may hold', () => {
  const write = (fields: object) => {
    const recording = recordingLogger();
    recording.logger.info('x', fields);
    return { line: recording.lines[0] ?? {}, text: recording.text() };
  };

  it('replaces values whose field is named like a secret, at any depth and in any case style', () => {
    const { text } = write({
      password: 'hunter2',
      config: { webhookSecret: 'hunter2', list: [{ api_key: 'hunter2' }] },
      headers: new Map([
        ['Authorization', 'hunter2'],
        ['X-Webhook-Signature', 'hunter2'],
        ['set-cookie', 'hunter2'],
      ]),
      privateJwk: { d: 'hunter2' },
    });
    expect(text).not.toContain('hunter2');
  });

  it('keeps fields that only sound alike', () => {
    const fields = { idempotency_key: 'b1:p1', key_id: 'k1', token_count: 3, has_secret: true };
    expect(write(fields).line).toMatchObject(fields);
  });

  it('writes errors out with their causes, and nothing that libraries hang on them', () => {
    const cause = new Error('connect ECONNREFUSED postgres://me:hunter2@db/content');
    const error = Object.assign(new Error('The query failed.', { cause }), {
      code: 'P1001',
      options: { headers: { authorization: 'hunter2' }, body: 'hunter2' },
    });
    const { line, text } = write({ error });
    expect(line['error']).toMatchObject({
      name: 'Error',
      message: 'The query failed.',
      code: 'P1001',
      stack: expect.stringContaining('logger.spec.ts') as string,
      cause: { message: 'connect ECONNREFUSED postgres://[redacted]@db/content' },
    });
    expect(text).not.toContain('hunter2');
  });

  it('writes both errors when a release fails after a failure', () => {
    const error = new SuppressedError(new Error('release'), new Error('work'));
    expect(write({ error }).line['error']).toMatchObject({
      error: { message: 'release' },
      suppressed: { message: 'work' },
    });
  });

  it('writes every kind of value, and bounds circles, depths and sizes', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const deep = JSON.parse('{"a":'.repeat(50) + '1' + '}'.repeat(50)) as object;
    const { line, text } = write({
      big: 10n,
      date: new Date(0),
      bytes: Buffer.from('abc'),
      url: new URL('https://me:pw@example.com/a?b=c'),
      set: new Set([1]),
      missing: undefined,
      nothing: null,
      infinite: Infinity,
      circle,
      deep,
      long: 'x'.repeat(1_000_000),
      many: Array.from({ length: 5_000 }, (_, index) => index),
    });
    expect(line).toMatchObject({
      big: '10',
      date: '1970-01-01T00:00:00.000Z',
      bytes: '[3 bytes]',
      url: 'https://example.com/a',
      set: [1],
      nothing: null,
      infinite: 'Infinity',
      circle: { self: '[circular]' },
    });
    expect(line).not.toHaveProperty('missing');
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('redactText', () => {
  it.each([
    ['key pk_live_0123456789abcdefghijABCDEFGHIJ12 refused', 'key pk_live_[redacted] refused'],
    ['sk_agent_abc', 'sk_agent_[redacted]'],
    ['Authorization: Bearer abcdefgh.ijkl', 'Authorization: Bearer [redacted]'],
    ['session eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln ended', 'session [redacted] ended'],
    ['https://example.com/x?a=1&api_key=abc#f', 'https://example.com/x?a=1&api_key=[redacted]#f'],
    ['postgresql://user:p%40ss@db:5432/x', 'postgresql://[redacted]@db:5432/x'],
    ['Bearer\tabcdefgh.ijkl', 'Bearer [redacted]'],
    ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln', '[redacted]'],
    ['?token=abc', '?token=[redacted]'],
    ['a=1&key=abc', 'a=1&key=[redacted]'],
    ['db://user:pw@db', 'db://[redacted]@db'],
    ['pk_live_abc', 'pk_live_[redacted]'],
    ['Bearer token missing', 'Bearer token missing'],
    ['https://example.com/a@b', 'https://example.com/a@b'],
  ])('replaces the secrets of a text, and what only sounds like one stays: %s', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });
});

it('A line is on standard output before the next statement runs: a process that is killed then has said it', () => {
  const logger = new URL('./logger.ts', import.meta.url).href;
  const program = `
    const { createLogger } = await import('${logger}');
    createLogger('tested', 'info').info('last.line');
    process.kill(process.pid, 'SIGKILL');`;
  const options = ['--conditions=@blog-content/source', '--input-type=module', '-e', program];
  const { stdout, signal } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  expect(stdout).toContain('"event":"last.line"');
});
