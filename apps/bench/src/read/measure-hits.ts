import { isDeepStrictEqual } from 'node:util';
import { getOnce, type PublicGet, type WireAnswer } from '../load/http-request.ts';
import { startChild } from '../processes/child.ts';
import { CACHE_MB, CONNECTIONS, type BenchContext } from './bench-context.ts';
import { compare, type Contender } from './compare.ts';
import { hotGets, publicReads } from './public-reads.ts';
import { ratioHead, ratioRow } from './ratio-table.ts';
import { startMeasuredService } from './start-read-service.ts';

/** Projects that readers come back to, of a read model that has many; of a small one it is one project. */
const HOT_PROJECTS = 100;
const NEED_OF_HITS = { perSecond: 0.8, p99: 2 };
const NEED_OF_304S = { perSecond: 0.85, p99: 2 };

/** Hits and 304s against a bare `node:http` server that sends the same bytes. */
export async function measureHits(bench: BenchContext): Promise<void> {
  const hot = bench.size.projects > HOT_PROJECTS ? HOT_PROJECTS : 1;
  const cases = publicReads(bench.size).flatMap((read, index) => {
    const gets = hotGets(read, bench.size, hot);
    return [
      { name: `hit: ${read.name}, identity`, gets, is304: false },
      { name: `hit: ${read.name}, gzip`, gets: withHeaders(gets, { 'Accept-Encoding': 'gzip' }), is304: false },
      ...(index === 0 ? [{ name: `304: ${read.name}`, gets, is304: true }] : []),
    ].filter(({ name }) => bench.selected(name));
  });
  if (cases.length === 0) return;

  await using resources = new AsyncDisposableStack();
  const product = await startMeasuredService(bench, {
    cacheMb: CACHE_MB,
    logFile: `${bench.folder}/read-service.log`,
  });
  resources.defer(() => product.stop());

  console.log(`\n${ratioHead(`hits, of ${hot === 1 ? 'one project' : `${hot} projects in turn`}`, 'bare')}`);
  for (const { name, gets, is304 } of cases.toSorted((a, b) => Number(a.is304) - Number(b.is304))) {
    const asked = is304 ? await conditional(product.port, gets) : gets;
    const answers: WireAnswer[] = [];
    for (const get of asked) answers.push(await getOnce(product.port, get));
    const status = is304 ? 304 : 200;
    const refused = answers.find((answer) => answer.status !== status);
    if (refused) throw new Error(`${name}: answered ${refused.status}: ${refused.body.toString().slice(0, 200)}`);
    const bodyBytes = answers[0]?.body.length ?? 0;
    const bare = await startBareServer(bench, answers);
    try {
      const figures = await compare(bench.generator, [product, bare], {
        rounds: bench.rounds,
        job: {
          connections: CONNECTIONS.saturating,
          durationMs: bench.seconds * 1000,
          gets: asked,
          // Of several projects each answer has its own length.
          expected: { status, bodyBytes: hot === 1 ? bodyBytes : null },
        },
      });
      console.log(ratioRow(name, bodyBytes, figures, is304 ? NEED_OF_304S : NEED_OF_HITS));
    } finally {
      await bare.stop();
    }
  }
}

/** The same requests, each with the entity tag of what it would be answered. */
async function conditional(port: number, gets: readonly PublicGet[]): Promise<PublicGet[]> {
  const asked: PublicGet[] = [];
  for (const get of gets) {
    const { headers } = await getOnce(port, get);
    asked.push({ ...get, headers: { ...get.headers, 'If-None-Match': headers['etag'] ?? '' } });
  }
  return asked;
}

async function startBareServer(
  { cores }: BenchContext,
  answers: readonly WireAnswer[],
): Promise<Contender & { stop(): Promise<void> }> {
  const child = startChild(import.meta.resolve('./baselines/bare-server.main.ts'), cores?.server);
  const { port } = await child.ask<{ port: number }>(answers);
  for (const answer of answers) {
    if (!isDeepStrictEqual(await getOnce(port, { path: '/', key: '' }), answer)) {
      throw new Error('The bare server does not send what the product sends.');
    }
  }
  return { port, pid: child.pid, stop: () => child.stop() };
}

function withHeaders(gets: readonly PublicGet[], headers: Readonly<Record<string, string>>): PublicGet[] {
  return gets.map((get) => ({ ...get, headers }));
}
