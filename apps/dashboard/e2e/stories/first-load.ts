import { buildDashboard } from '@blog-content/local-services';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Sizes of files, so that the machine has no say in it. */
export function describeFirstLoad(): void {
  describe('the first load', () => {
    it('takes at most 250 kB of gzip for Home, without fonts', async () => {
      const folder = await buildDashboard();
      const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
      const chunks = new Set<string>();
      const add = (name: string) => {
        if (chunks.has(name)) return;
        chunks.add(name);
        manifest[name]!.imports?.forEach(add);
      };
      ['index.html', 'src/app/project-layout.tsx', 'src/pages/home/page.tsx'].forEach(add);
      const files = new Set([...chunks].flatMap((name) => [manifest[name]!.file, ...(manifest[name]!.css ?? [])]));
      const sizes = ['index.html', ...files].map((file) => gzipSync(readFileSync(join(folder, file))).length);
      expect(files.size).toBeGreaterThan(10);
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(250_000);
    });
  });
}
