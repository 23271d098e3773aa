import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gatherLines } from './gathered-lines.ts';

describe('lines that are gathered', () => {
  it('go out together at the end of the turn, in their order, and those of the next turn by themselves', async () => {
    const written: string[] = [];
    const { stream } = gatherLines({ write: (text: string) => written.push(text) > 0 });
    stream.write('a\n');
    stream.write('b\n');
    expect(written).toEqual([]);
    await nextTurn();
    stream.write('ü\n');
    await nextTurn();
    expect(written).toEqual(['a\nb\n', 'ü\n']);
  });

  it.each([
    ['ends', 'process.exit(0);'],
    ['fails', 'throw new Error("unforeseen");'],
  ])('go out also when the process %s in the same turn', async (_how, end) => {
    const script = `
      import { createLogger } from ${JSON.stringify(new URL('logger.ts', import.meta.url).href)};
      createLogger('example', 'info').info('last.words', { text: 'x'.repeat(10_000) });
      ${end}
    `;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: new URL('..', import.meta.url),
      maxBuffer: 1_000_000,
    });
    const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
    expect(JSON.parse(stdout)).toMatchObject({ service: 'example', event: 'last.words' });
  });
});
