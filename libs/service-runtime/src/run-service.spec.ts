import got from 'got';
import { goodEnvironment, startExampleService, type ServiceProcess } from '../test/service-process.ts';

const start = (environment: Record<string, string> = {}) => startExampleService({ ...goodEnvironment, ...environment });
const releases = ({ lines }: ServiceProcess) =>
  lines.filter(({ event }) => event === 'example.released').map((line) => line['name']);

describe('runService', () => {
  it('says on standard error what is wrong with the environment, and exits 78', async () => {
    const { DATABASE_URL: _without, ...rest } = goodEnvironment;
    await using service = startExampleService({ ...rest, PORT: 'http', GREETING: 'ab' });
    expect(await service.ended).toBe(78);
    expect(service.stderr()).toBe(
      [
        'example-service cannot start: invalid environment.',
        '  PORT is "http": must be a whole number between 0 and 65535',
        '  DATABASE_URL is missing. PostgreSQL database of this service.',
        '  GREETING is invalid (value hidden): Too small: expected string to have >=3 characters',
        '',
      ].join('\n'),
    );
  });

  it('writes one line when it has started, with its ports and without a secret', async () => {
    await using service = start();
    const line = await service.logged('service.started');
    expect(line).toMatchObject({
      service: 'example-service',
      port: expect.any(Number) as number,
      admin_port: expect.any(Number) as number,
      config: { HOST: '127.0.0.1', DATABASE_URL: 'set', GREETING: 'set', EVENT_LOG_DATABASE_URL: 'unset' },
    });
    expect(JSON.stringify(service.lines)).not.toMatch(/hunter2|top-secret/);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s answers what is running, releases in reverse order and exits 0',
    async (signal) => {
      await using service = start();
      const { port, admin_port: adminPort } = await service.logged('service.started');
      const slow = got(`http://127.0.0.1:${String(port)}/slow`, { retry: { limit: 0 } });
      await service.logged('example.slow_begun');
      service.signal(signal);
      await service.logged('service.stopping');
      const ready = await got(`http://127.0.0.1:${String(adminPort)}/readyz`, {
        throwHttpErrors: false,
        retry: { limit: 0 },
      });
      expect([ready.statusCode, JSON.parse(ready.body)]).toEqual([503, { status: 'draining', checks: {} }]);
      service.signal('SIGUSR2');
      const answer = await slow;
      expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
      expect(await service.ended).toBe(0);
      expect(releases(service)).toEqual(['second', 'first']);
      expect(service.lines.at(-1)?.event).toBe('service.stopped');
    },
  );

  it('exits immediately on the second signal', async () => {
    await using service = start({ TROUBLE: 'release_hangs', SHUTDOWN_TIMEOUT_MS: '600000' });
    await service.logged('service.started');
    service.signal('SIGTERM');
    await service.logged('example.released');
    service.signal('SIGTERM');
    expect(await service.ended).toBe(143);
  });

  it('gives up a release that hangs, says so and exits 1', async () => {
    await using service = start({ TROUBLE: 'release_hangs', SHUTDOWN_TIMEOUT_MS: '100' });
    await service.logged('service.started');
    service.signal('SIGTERM');
    expect(await service.ended).toBe(1);
    expect(releases(service)).toEqual(['second']);
    expect(service.lines.at(-1)).toMatchObject({ event: 'service.shutdown_timed_out', level: 'error' });
  });

  it('releases the rest when one release fails, and exits 1', async () => {
    await using service = start({ TROUBLE: 'release_fails' });
    await service.logged('service.started');
    service.signal('SIGTERM');
    expect(await service.ended).toBe(1);
    expect(releases(service)).toEqual(['second', 'first']);
    expect(service.lines.at(-1)).toMatchObject({ event: 'service.stop_failed', error: { message: 'It is stuck.' } });
  });

  it('releases what it has in reverse order when the start fails half-way, and exits 1', async () => {
    await using service = start({ TROUBLE: 'start_fails' });
    expect(await service.ended).toBe(1);
    expect(releases(service)).toEqual(['second', 'first']);
    expect(await service.logged('service.start_failed')).toMatchObject({ error: { message: 'There is no third.' } });
  });

  it('stops a start that is under way, and exits 0', async () => {
    await using service = start({ TROUBLE: 'start_waits' });
    await service.logged('example.waiting');
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(releases(service)).toEqual(['second', 'first']);
  });

  it('logs an error that nobody catches, and exits 1', async () => {
    await using service = start();
    const { port } = await service.logged('service.started');
    await expect(got(`http://127.0.0.1:${String(port)}/crash`, { retry: { limit: 0 } })).rejects.toThrow();
    expect(await service.ended).toBe(1);
    expect(service.lines.at(-1)).toMatchObject({
      event: 'process.crashed',
      error: { message: 'Nobody catches this.', stack: expect.stringContaining('example-service.ts') as string },
    });
  });
});
