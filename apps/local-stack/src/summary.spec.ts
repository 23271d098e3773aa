import { summarise, type Shown } from './summary.ts';

const shown = {
  origin: 'http://127.0.0.1:4000',
  receiverUrl: 'http://127.0.0.1:4001',
  eventLog: 'PostgreSQL',
  owner: { email: 'owner@example.com', password: 'secret', token: 'header.claims.signature' },
  demo: {
    projectId: 'a-project',
    publicKey: 'pk_live_x',
    showcase: { id: 'a-blog', slug: 'winter', title: 'Winter' },
  },
  publish: { id: 'a-publish', status: 'succeeded', deliveries: [] },
  visibleAfterMs: 50,
  webhook: null,
  logFolder: '.data/local-stack/logs',
  startedInMs: 9_000,
} as unknown as Shown;

const lines = summarise(shown).split('\n');
const commands = lines.filter((line) => /^(curl|python3) /.test(line));

describe('what npm start prints', () => {
  it('has a caption above every line to paste', () => {
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(lines[lines.indexOf(command) - 1]).toMatch(/^# \S/);
  });

  it('has a line that adds a webhook, and one that starts its receiver with the same secret and port', () => {
    const added = commands.find((command) => command.endsWith('/webhooks'));
    const body = JSON.parse(/-d '(.*?)'/.exec(added ?? '')?.[1] ?? '{}') as { url: string; secret: string };
    expect(body.secret.length).toBeGreaterThanOrEqual(16);
    expect(commands.find((command) => command.startsWith('python3'))).toContain(
      `examples/receiver.py --secret ${body.secret} --port ${new URL(body.url).port}`,
    );
  });
});
