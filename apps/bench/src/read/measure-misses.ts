import { isDeepStrictEqual } from 'node:util';
import { getOnce, type PublicGet } from '../load/http-request.ts';
import { startChild } from '../processes/child.ts';
import { CONNECTIONS, type BenchContext } from './bench-context.ts';
import { compare } from './compare.ts';
import { publicReads, randomGets } from './public-reads.ts';
import { ratioHead, ratioRow } from './ratio-table.ts';
import { startMeasuredService } from './start-read-service.ts';

const NEED = { perSecond: 1 };
/** What the product has by default. */
const POOL_SIZE = 10;
const REQUESTS = 2_000;

/** Reads that no cache answers, against a hand-written handler on Express and `pg`. */
export async function measureMisses(bench: BenchContext): Promise<void> {
  const cases = publicReads(bench.size)
    .map((read) => ({ name: `miss: ${read.name}`, gets: randomGets(read, bench.size, REQUESTS, 7) }))
    .filter(({ name }) => bench.selected(name));
  if (cases.length === 0) return;

  await using resources = new AsyncDisposableStack();
  const product = await startMeasuredService(bench, {
    cacheMb: 0,
    logFile: `${bench.folder}/read-service-without-cache.log`,
  });
  resources.defer(() => product.stop());
  const handWritten = startChild(import.meta.resolve('./baselines/express-pg.main.ts'), bench.cores?.server);
  resources.defer(() => handWritten.stop());
  const { port } = await handWritten.ask<{ port: number }>({ databaseUrl: bench.dataSetUrl, poolSize: POOL_SIZE });

  console.log(`\n${ratioHead('misses, cache off, at random', 'by hand')}`);
  for (const { name, gets } of cases) {
    const bodyBytes = await sameAnswer(name, [product.port, port], gets);
    const figures = await compare(bench.generator, [product, { port, pid: handWritten.pid }], {
      rounds: bench.rounds,
      job: {
        connections: CONNECTIONS.saturating,
        durationMs: bench.seconds * 1000,
        gets,
        expected: { status: 200, bodyBytes: null },
      },
    });
    console.log(ratioRow(name, bodyBytes, figures, NEED));
  }
}

/** Makes sure that both answer the same, so that they have the same to do; gives the size of the product's body. */
async function sameAnswer(
  name: string,
  [product, handWritten]: readonly [number, number],
  gets: readonly PublicGet[],
): Promise<number> {
  let bodyBytes = 0;
  for (const get of gets.slice(0, 5)) {
    const answers = await Promise.all([getOnce(product, get), getOnce(handWritten, get)]);
    const [one, other] = answers.map(({ status, body }) => [status, JSON.parse(body.toString()) as unknown]);
    if (!isDeepStrictEqual(one, other)) throw new Error(`${name}: the two handlers do not answer the same.`);
    bodyBytes = answers[0].body.length;
  }
  return bodyBytes;
}
