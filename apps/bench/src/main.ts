import { parseArgs } from 'node:util';
import { benchDashboard } from './dashboard/bench-dashboard.ts';
import { benchDispatch } from './dispatch/bench-dispatch.ts';
import { benchHealing } from './healing/bench-healing.ts';
import { benchImages } from './images/bench-images.ts';
import { benchMemory } from './memory/bench-memory.ts';
import { benchPublish } from './publish/bench-publish.ts';
import { benchRead } from './read/bench-read.ts';
import { benchRebuild } from './rebuild/bench-rebuild.ts';
import { benchRenames } from './renames/bench-renames.ts';
import { benchWrite } from './write/bench-write.ts';

const usage = `Usage: npm run bench [-- <bench>] [options]

Benches:
  publish            publish → visible on the read API and publish → first byte at the receiver, with a breakdown by
                     stage, on both event logs; statements and processor time a publish, and publishes per second, on
                     the PostgreSQL event log (the default)
  read               the public API: hits and 304s against a bare node:http server that sends the same bytes, misses
                     against a hand-written Express and pg handler, publish → visible under full load, the effect of
                     large responses on others and on memory, and with many posts random reads and memory; the server
                     under test has its own core
  dispatch           webhook-dispatcher: deliveries per second of a burst against a bare undici loop, event → first byte
                     on both event logs, the effect of a hanging receiver, of silent receivers and of hanging deploy
                     hooks on others, a claim from a long queue, a crash in a burst; the service and its PostgreSQL have
                     their own core
  write              content-service: one tenant's response times while another sends expensive content, thousands of
                     creations, bulk publishes and imports
  healing            posts that link to each other and change constantly: the time until every receiver matches the
                     public API
  renames            posts that link to each other, renamed under load: lost or wrong links, redirects, and copies at
                     receivers that differ from the public API
  images             content-service: the time of an upload, compared with a bare loop of sharp
  dashboard          the dashboard in Chromium: sizes and times of first loads, opening each page, typing in a long post,
                     and a project with 100,000 posts
  rebuild            posts per second when rebuilding the read model from the event log
  memory             each service's memory while idle, as in its image, on both event logs

Options of publish:
  --publishes <n>    publishes measured on each event log (default 400)
  --rate <n>         publishes per second (default 20)
  --event-log <l>    only kafka or only postgres
  --replicas <n>     processes of each service while the cost is measured (default 1)
  --only <text>      only the parts whose names contain this: "latency", "cost"

Options of read:
  --seconds <n>      length of a round (default 3)
  --rounds <n>       alternating rounds of each server (default 3)
  --projects <n>     projects in the read model (default 10)
  --posts <n>        posts in it, spread evenly (default 10000); kept for the next run in .data/bench-read
  --only <text>      only the cases whose names contain this: "hit", "gzip", "304", "miss", "authors", "visible", "large",
                     "build", "random", "one blog", …
  --event-log <l>    for publish → visible (default postgres)
  --reset            delete the kept read models first

Options of dispatch:
  --rounds <n>       alternating rounds of the burst and of each loop (default 9)
  --only <text>      only the parts whose names contain this: "fan-out", "latency", "isolation", "fairness",
                     "backlog", "restart"
  --event-log <l>    for the latency: only kafka or only postgres
  --embedded         always use PostgreSQL from npm

Options of write:
  --seconds <n>      length of each attack (default 10)
  --only <text>      only the attacks whose names contain this: "svg", "Markdown", "creations", "import", …

Options of healing:
  --posts <n>        posts (default 1000)
  --changes <n>      changes to them (default 10000)

Options of renames:
  --posts <n>        posts (default 10000)
  --links <n>        links among them in all (default four per post)
  --changes <n>      renames, swaps, cycles of three and reused slugs (default 1000)
  --seed <n>         the same seed makes the same changes (default 1)

Options of dashboard:
  --rounds <n>       loads of each kind, and walks through all pages (default 3)
  --posts <n>        posts of the large project (default 100000)
  --only <text>      only the parts whose names contain this: "load", "pages", "typing", "list"

Options of rebuild:
  --posts <n>        posts in the event log (default 50000)

Options of memory:
  --seconds <n>      idle time before measuring (default 60)
  --event-log <l>    only kafka or only postgres

  --help             show this`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    publishes: { type: 'string', default: '400' },
    rate: { type: 'string', default: '20' },
    replicas: { type: 'string', default: '1' },
    'event-log': { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    projects: { type: 'string', default: '10' },
    posts: { type: 'string' },
    links: { type: 'string' },
    changes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    reset: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const bench = positionals[0] ?? 'publish';
const [publishes = 0, replicas = 0, projects = 0, seed = 0] = [
  values.publishes,
  values.replicas,
  values.projects,
  values.seed,
].map(Number);
const changes = Number(values.changes ?? (bench === 'renames' ? 1_000 : 10_000));
// One burst differs from the next by a third on a machine that is shared.
const rounds = Number(values.rounds ?? (bench === 'dispatch' ? 9 : 3));
const posts = Number(values.posts ?? { rebuild: 50_000, dashboard: 100_000, healing: 1_000 }[bench] ?? 10_000);
const links = Number(values.links ?? 4 * posts);
const [rate, seconds] = [Number(values.rate), Number(values.seconds ?? { write: 10, memory: 60 }[bench] ?? 3)];
const eventLogs = (['postgres', 'kafka'] as const).filter(
  (log) => (values['event-log'] ?? (['publish', 'dispatch', 'memory'].includes(bench) ? log : 'postgres')) === log,
);
const wrong =
  !['publish', 'read', 'dispatch', 'write', 'healing', 'renames', 'images', 'dashboard', 'rebuild', 'memory'].includes(
    bench,
  ) ||
  ![publishes, replicas, projects, rounds, posts, links, changes, seed].every(
    (count) => Number.isInteger(count) && count >= 1,
  ) ||
  !(rate > 0) ||
  !(seconds > 0) ||
  posts < projects ||
  eventLogs.length === 0;
if (values.help || wrong) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
if (bench === 'publish') await benchPublish({ publishes, rate, replicas, eventLogs, only: values.only });
if (bench === 'read') {
  await benchRead({ size: { projects, posts }, seconds, rounds, eventLogs, only: values.only, reset: values.reset });
}
if (bench === 'dispatch') {
  await benchDispatch({ rounds, eventLogs, only: values.only, installed: !values.embedded });
}
if (bench === 'write') await benchWrite({ seconds, only: values.only });
if (bench === 'healing') await benchHealing({ posts, changes });
if (bench === 'renames' && !(await benchRenames({ posts, links, changes, seed }))) process.exit(1);
if (bench === 'images') await benchImages();
if (bench === 'dashboard') await benchDashboard({ rounds, posts, only: values.only });
if (bench === 'rebuild') await benchRebuild({ posts });
if (bench === 'memory') await benchMemory({ idleS: seconds, eventLogs });
process.exit(0);
