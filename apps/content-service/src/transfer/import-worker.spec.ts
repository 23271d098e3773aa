import { createLogger } from '@blog-content/service-runtime';
import { startImportWorker } from './import-worker.ts';

const logger = createLogger('content-service', 'error');

describe('the worker of imports', () => {
  it('gives others their turn after each file, also when nothing makes it wait', async () => {
    let waiting = 50;
    const turnsBefore: number[] = [];
    let turns = 0;
    const allDone = Promise.withResolvers<void>();
    const never = () => Promise.reject(new Error('not used'));
    const worker = startImportWorker({
      imports: {
        unfinished: () => Promise.resolve(waiting > 0 ? ['import'] : []),
        withNextFile: () => {
          turnsBefore.push(turns);
          waiting -= 1;
          return Promise.resolve({ number: waiting, end: { status: 'created', message: null, blogId: null } });
        },
        fail: never,
        finish: () => {
          if (waiting === 0) allDone.resolve();
          return Promise.resolve(waiting === 0);
        },
      },
      blogs: { create: never, edit: never, findBySlug: never },
      contentWork: { clean: never },
      publishing: { publish: never },
      clock: () => new Date(0),
      logger,
      pollMs: 60_000,
    });
    const turn = () => {
      turns += 1;
      counting = setImmediate(turn);
    };
    let counting = setImmediate(turn);
    await allDone.promise;
    clearImmediate(counting);
    await worker.stop();
    expect(new Set(turnsBefore).size).toBe(50);
  });
});
