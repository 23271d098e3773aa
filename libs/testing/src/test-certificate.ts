import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A server certificate of an authority that was made for it. Everything is PEM text. */
export interface TestCertificate {
  /** The authority's certificate, for clients to trust. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const run = promisify(execFile);

/** Makes a certificate authority and a certificate of it for `names` (host names or IP addresses), valid for a day. */
export async function createTestCertificate(
  names: readonly string[] = ['localhost', '127.0.0.1'],
): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-certificate-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    const alternatives = names.map((name) => `${/^[\d.]+$|:/.test(name) ? 'IP' : 'DNS'}:${name}`).join(',');
    await writeFile(join(folder, 'extensions'), `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth\n`);
    await openssl(
      'req',
      '-x509',
      ...newKey,
      '-days',
      '1',
      '-subj',
      '/CN=Test authority',
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
    );
    await openssl(
      'req',
      ...newKey,
      '-subj',
      `/CN=${names[0] ?? 'localhost'}`,
      '-keyout',
      'server.key',
      '-out',
      'server.csr',
    );
    await openssl(
      ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-days', '1', '-extfile', 'extensions', '-out', 'server.crt'],
    );
    const read = (file: string) => readFile(join(folder, file), 'utf8');
    return { authority: await read('ca.crt'), certificate: await read('server.crt'), key: await read('server.key') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
