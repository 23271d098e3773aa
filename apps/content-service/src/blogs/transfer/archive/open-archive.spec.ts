import { randomBytes } from 'node:crypto';
import { OperationalError } from '@blog-content/service-runtime';
import { makeArchive, overwrite } from '../../../../test/transfer/make-archive.ts';
import { openArchive } from './open-archive.ts';

/** What is found in the archive by path. */
async function textsOf(bytes: Buffer): Promise<Record<string, string>> {
  const { files } = await openArchive(bytes);
  const texts: Record<string, string> = {};
  for (const file of files) {
    const read = await file.read();
    texts[file.path] = 'text' in read ? read.text : `unreadable: ${read.unreadable}`;
  }
  return texts;
}

async function refusalOf(bytes: Buffer): Promise<string> {
  try {
    await openArchive(bytes);
  } catch (error) {
    if (error instanceof OperationalError)
      return `${error.status} ${error.errors?.[0]?.field} ${error.errors?.[0]?.message}`;
    throw error;
  }
  return 'none';
}

describe('an archive', () => {
  it('has the posts of all its folders, compressed or not', async () => {
    const files = { 'a.md': 'A', 'b/c.markdown': 'C', 'b/d/e.HTML': 'E', 'f.htm': 'ä', 'empty.md': '' };
    for (const compress of [true, false]) expect(await textsOf(await makeArchive(files, { compress }))).toEqual(files);
  });

  it('is without byte order marks and NUL', async () => {
    expect(await textsOf(await makeArchive({ 'a.md': '\ufeffA\0B' }))).toEqual({ 'a.md': 'AB' });
  });

  it('has no post in UTF-16, with a mark or without, and is without several marks', async () => {
    const wide = Buffer.from('中文 text of a post', 'utf16le');
    const files = {
      'a.md': wide,
      'b.md': Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
      'c.md': '\ufeff\ufeff---\n',
    };
    const unreadable = 'unreadable: is not UTF-8 text';
    expect(await textsOf(await makeArchive(files))).toEqual({
      'a.md': unreadable,
      'b.md': unreadable,
      'c.md': '---\n',
    });
  });

  it('has names in UTF-8 where it does not say so', async () => {
    const archive = await makeArchive({ '文/é.md': 'A' });
    // Version, flags.
    for (const header of ['PK\x01\x02', 'PK\x03\x04']) {
      const at = archive.indexOf(header, 0, 'latin1') + (header.includes('\x01') ? 8 : 6);
      archive.writeUInt16LE(archive.readUInt16LE(at) & ~0x800, at);
    }
    expect(await textsOf(archive)).toEqual({ '文/é.md': 'A' });
  });

  it('passes over what systems and tools put into it', async () => {
    const files = {
      'a.md': 'A',
      '__MACOSX/._a.md': '',
      '.git/b.md': '',
      'c/.d.md': '',
      'node_modules/e/README.md': '',
      '_layouts/post.html': '',
      'dir/': '',
      'data/blogs.jsonl': '',
    };
    const archive = await openArchive(await makeArchive(files));
    expect(archive.files.map(({ path }) => path)).toEqual(['a.md']);
    expect([archive.unsupported, [...archive.others]]).toEqual([[], []]);
  });

  it('tells what else is in it: texts one by one, other files by their kind', async () => {
    const archive = await openArchive(
      await makeArchive({ 'a.md': '', 'b.mdx': '', 'c.txt': '', 'd.png': '', 'e/f.PNG': '', LICENSE: '' }),
    );
    expect(archive.unsupported).toEqual(['b.mdx', 'c.txt']);
    expect(Object.fromEntries(archive.others)).toEqual({ '': 1 });
    expect(archive.pictures.size).toBe(2);
  });
});

describe('a file of an archive that cannot be read', () => {
  it('is told from the others: no UTF-8, a symbolic link, too large, twice there', async () => {
    const latin1 = await makeArchive({ 'a.md': Buffer.from('ä', 'latin1'), 'b.md': 'B' });
    expect(await textsOf(latin1)).toEqual({ 'a.md': 'unreadable: is not UTF-8 text', 'b.md': 'B' });
    const link = await makeArchive({ 'a.md': '/etc/passwd' }, { mode: 0o120777 });
    expect(await textsOf(link)).toEqual({ 'a.md': 'unreadable: is a symbolic link' });
    const large = await makeArchive({ 'a.md': 'x'.repeat(4 * 1024 * 1024 + 1), 'b.md': 'B' });
    expect(await textsOf(large)).toEqual({ 'a.md': 'unreadable: exceeds 4 MB', 'b.md': 'B' });
    const twice = await openArchive(overwrite(await makeArchive({ 'aa.md': '1', 'bb.md': '2' }), 'bb.md', 'aa.md'));
    expect(await Promise.all(twice.files.map((file) => file.read()))).toEqual([
      { text: '1' },
      { unreadable: 'is a duplicate path' },
    ]);
  });

  it('is told when it is encrypted, or damaged', async () => {
    const archive = await makeArchive({ 'a.md': 'Text' }, { compress: false });
    const encrypted = Buffer.from(archive);
    const directory = encrypted.indexOf('PK\x01\x02', 0, 'latin1');
    encrypted.writeUInt16LE(encrypted.readUInt16LE(directory + 8) | 1, directory + 8);
    // Twelve bytes of header go before encrypted data.
    encrypted.writeUInt32LE(encrypted.readUInt32LE(directory + 20) + 12, directory + 20);
    expect(await textsOf(encrypted)).toEqual({ 'a.md': 'unreadable: is encrypted' });
    expect(await textsOf(overwrite(archive, 'Text', 'Tuxt'))).toEqual({
      'a.md': 'unreadable: is corrupt in the archive',
    });
  });

  it('is not unpacked beyond the size that it declares', async () => {
    const archive = await makeArchive({ 'a.md': 'x'.repeat(1_000_000) });
    const directory = archive.indexOf('PK\x01\x02', 0, 'latin1');
    archive.writeUInt32LE(10, directory + 24);
    expect(await textsOf(archive)).toEqual({ 'a.md': 'unreadable: is corrupt in the archive' });
  });
});

describe('an archive that is refused', () => {
  it.each([
    ['is no ZIP', Buffer.from('no archive')],
    ['is cut off', null],
    ['has no post', { 'a.png': '' }],
    ['is empty', {}],
    ['has too many posts', Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`${i}.md`, '']))],
    ['has a path that is too long', { [`${'x'.repeat(498)}.md`]: '' }],
    [
      'unpacks to too much',
      Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`${i}.md`, Buffer.alloc(4 * 1024 * 1024)])),
    ],
  ])('%s', async (_what, files) => {
    // To compress two thousand files, or 132 MB, takes seconds.
    const whole = Buffer.isBuffer(files) ? files : await makeArchive(files ?? { 'a.md': 'A' }, { compress: false });
    expect(await refusalOf(files === null ? whole.subarray(0, -10) : whole)).toMatch(
      /^422 body (is not a readable ZIP archive|has no \.md|has more than 2000 posts and images|has a path of more than 500|has more than 128 MB)/,
    );
  });

  it.each([
    ['xx/xx.md', '../xx.md'.padEnd(8)],
    ['x/xx/x.md', 'x/../x.md'],
    ['xxxx.md', '/etc.md'],
    ['xxxxx.md', 'C:/xx.md'],
    ['x/xx.md', 'x\\xx.md'],
    ['x/xx.md', 'x/x\n.md'],
  ])('has the path %#', async (path, dangerous) => {
    const archive = overwrite(await makeArchive({ [path]: 'A' }), path, dangerous.slice(0, path.length));
    expect(await refusalOf(archive)).toMatch(
      /^422 body (is not a readable ZIP archive: (invalid|absolute)|has a path with control)/,
    );
  });

  it('is refused or read, whatever of it is damaged', async () => {
    const archive = await makeArchive({ 'a.md': 'Text '.repeat(20), 'b/c.html': '<p>x</p>', 'd.png': 'x' });
    for (let round = 0; round < 2_000; round += 1) {
      const damaged = Buffer.from(archive);
      const [noise] = [randomBytes(12)];
      for (let change = 0; change < 3; change += 1) {
        damaged[noise.readUInt16LE(change * 4) % damaged.length] = noise[change * 4 + 2] ?? 0;
      }
      try {
        await textsOf(damaged);
      } catch (error) {
        if (!(error instanceof OperationalError)) throw new Error(damaged.toString('hex'), { cause: error });
      }
    }
  });
});
