import { showExamples } from './examples.ts';
import { summarise, type SummaryFacts } from './summary.ts';

const shown = {
  origin: 'http://127.0.0.1:4000',
  receiverUrl: 'http://127.0.0.1:4001',
  eventLog: 'PostgreSQL',
  owner: { email: 'owner@example.com', password: 'secret' },
  demo: {
    projectId: 'a-project',
    publicKey: 'pk_live_x',
    showcase: { id: 'a-blog', slug: 'winter', title: 'Winter' },
  },
  publish: { deliveries: [] },
  brokenWebhookId: 'broken',
  visibleAfterMs: 50,
  webhook: { received: { body: { event: 'blog.published' } }, afterMs: 60 },
  logFolder: '.data/local-stack/logs',
  startedInMs: 9_000,
} as unknown as SummaryFacts;

describe('what npm start prints', () => {
  it('has at most 15 lines that fit a terminal, with the dashboard and the sign-in last', () => {
    const lines = summarise(shown).split('\n');
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(110);
    expect(lines.slice(-2)).toEqual([
      '  Dashboard   http://127.0.0.1:4000',
      '  Sign in     owner@example.com, password secret',
    ]);
  });

  it('names the docs and the command that prints examples', () => {
    expect(summarise(shown)).toContain(
      '  Docs        http://127.0.0.1:4000/docs\n  Examples    npm start -- --examples\n',
    );
  });

  it('says what did not arrive', () => {
    const late = summarise({ ...shown, visibleAfterMs: null, webhook: null });
    expect(late).toContain('The public API doesn’t serve “Winter” yet.');
    expect(late).toContain('The demo receiver didn’t get it.');
    const failed = (id: string) =>
      summarise({
        ...shown,
        publish: { deliveries: [{ status: 'failed', integration_id: id }] as SummaryFacts['publish']['deliveries'] },
      });
    expect(failed('other')).toContain('1 other deliveries failed');
    expect(failed('broken')).not.toContain('other deliveries');
  });
});

describe('what npm start -- --examples prints', () => {
  const lines = showExamples('.data/local-stack/env.sh').split('\n');
  const commands = lines.filter((line) => /^(curl|python3) /.test(line));

  it('begins with the file that has the values, and holds none itself', () => {
    expect(lines[1]).toBe('. .data/local-stack/env.sh');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(300);
    for (const command of commands.filter((each) => each.includes('Authorization'))) {
      expect(command).toMatch(/"Authorization: Bearer \$(?:TOKEN|BLOG_KEY)"/);
    }
  });

  it('has a caption above every command', () => {
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) expect(lines[lines.indexOf(command) - 1]).toMatch(/^# \S/);
  });

  it('adds a webhook with the secret and port that its receiver is started with', () => {
    const added = commands.find((command) => command.endsWith('/webhooks'));
    const body = JSON.parse(/-d '(.*?)'/.exec(added ?? '')?.[1] ?? '{}') as { url: string; secret: string };
    expect(body.secret.length).toBeGreaterThanOrEqual(16);
    expect(commands.find((command) => command.startsWith('python3'))).toContain(
      `examples/receiver.py --secret ${body.secret} --port ${new URL(body.url).port}`,
    );
  });

  it('changes no setting while no model answers at the address that is printed', () => {
    const plug = commands.find((command) => command.endsWith('/generation-settings'));
    expect(plug).toMatch(/^curl -sSf -o \/dev\/null http:\/\/127\.0\.0\.1:11434\/v1\/models && curl -s -X PUT /);
    const settings: unknown = JSON.parse(/-d '(.*?)'/.exec(plug ?? '')?.[1] ?? '{}');
    expect(settings).toMatchObject({ base_url: expect.stringMatching(/^https?:/), model: expect.any(String) });
  });
});
