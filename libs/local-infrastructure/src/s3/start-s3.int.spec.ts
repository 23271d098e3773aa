import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3UnavailableError, versitygw } from './versitygw.ts';

describe('an S3 server', () => {
  it('that cannot be built is an error that names what is missing', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'blog-content-cache-'));
    const { PATH, XDG_CACHE_HOME } = process.env;
    try {
      Object.assign(process.env, { PATH: cache, XDG_CACHE_HOME: cache });
      await expect(versitygw()).rejects.toThrow(S3UnavailableError);
      await expect(versitygw()).rejects.toThrow('Go 1.21 or newer');
      expect(existsSync(join(cache, 'blog-content-service'))).toBe(false);
    } finally {
      process.env['PATH'] = PATH;
      if (XDG_CACHE_HOME === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = XDG_CACHE_HOME;
    }
  });
});
