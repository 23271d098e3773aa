import { parseArgs } from 'node:util';
import { benchPublish } from './publish/bench-publish.ts';

const usage = `Usage: npm run bench [-- <bench>] [options]

Benches:
  publish            publish → visible on the read API and publish → first byte at the receiver, with a breakdown by
                     stage, on both event logs (the default)

Options:
  --publishes <n>    publishes measured on each event log (default 400)
  --rate <n>         publishes a second (default 20)
  --event-log <l>    only kafka or only postgres
  --help             show this`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    publishes: { type: 'string', default: '400' },
    rate: { type: 'string', default: '20' },
    'event-log': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const bench = positionals[0] ?? 'publish';
const publishes = Number(values.publishes);
const rate = Number(values.rate);
const eventLogs = (['postgres', 'kafka'] as const).filter((log) => (values['event-log'] ?? log) === log);
const wrong =
  bench !== 'publish' || !Number.isInteger(publishes) || publishes < 1 || !(rate > 0) || eventLogs.length === 0;
if (values.help || wrong) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
await benchPublish({ publishes, rate, eventLogs });
process.exit(0);
