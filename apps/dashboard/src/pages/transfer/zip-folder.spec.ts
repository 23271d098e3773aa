import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { belowFolder, isSent, picturesToSend, zipFolder } from './zip-folder.ts';

describe('a folder as an archive', () => {
  it('can be unpacked by other programs, including names beyond ASCII', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zip-folder-'));
    try {
      const bytes = new TextEncoder().encode('# Tee für zwei\n'.repeat(1_000));
      const archive = zipFolder([
        { path: 'a/tee.md', bytes },
        { path: 'grüne-soße.md', bytes: new Uint8Array() },
      ]);
      writeFileSync(join(folder, 'a.zip'), Buffer.from(await archive.arrayBuffer()));
      execFileSync('python3', ['-m', 'zipfile', '-e', 'a.zip', 'out'], { cwd: folder });
      expect(readFileSync(join(folder, 'out/a/tee.md'))).toEqual(Buffer.from(bytes));
      expect(readFileSync(join(folder, 'out/grüne-soße.md'))).toHaveLength(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('holds posts and the images of an export, and nothing else', () => {
    const image = `images/${'a'.repeat(64)}.png`;
    const paths = [
      'b/post.md',
      'b/page.HTML',
      'b/.git/x.md',
      'b/node_modules/y/readme.md',
      'b/photo.jpg',
      `b/${image}`,
    ];
    const data = ['project.json', 'settings.json', 'posts/soup.json', 'images.jsonl', 'authors.jsonl'];
    const ofExport = data.map((name) => `b/data/${name}`);
    expect([...paths, ...ofExport, 'b/data/blogs.jsonl'].filter(isSent)).toEqual([
      ...['b/post.md', 'b/page.HTML', `b/${image}`],
      ...ofExport,
    ]);
    expect(belowFolder(`b/${image}`)).toBe(image);
  });

  it('holds the images that posts name by path, as many as fit', () => {
    const files = ['b/cup.png', 'b/i/my pot.JPG', 'b/unused.png', 'b/.git/cup.png', 'b/a b.gif', 'b/x.svg'].map(
      (path) => ({
        path,
        size: 10 * 1024 * 1024,
      }),
    );
    const texts = ['![A cup](../cup.png "Cup") ![](x.svg)', '![](i/my%20pot.JPG) <img src="a b.gif">'];
    const paths = (sent: { files: number; bytes: number }) =>
      picturesToSend(files, texts, sent).map(({ path }) => path);
    expect(paths({ files: 2, bytes: 100 })).toEqual(['b/cup.png', 'b/i/my pot.JPG', 'b/a b.gif']);
    expect(paths({ files: 2, bytes: 12 * 1024 * 1024 })).toEqual(['b/cup.png']);
    expect(paths({ files: 1_999, bytes: 0 })).toEqual(['b/cup.png']);
  });
});
