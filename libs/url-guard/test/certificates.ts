import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate authority and one server certificate it signed, all PEM. */
export interface TestCertificates {
  ca: string;
  key: string;
  cert: string;
}

const request = (name: string): string =>
  ['[req]', 'distinguished_name = dn', 'prompt = no', '[dn]', `CN = ${name}`, ''].join('\n');

/**
 * Makes certificates valid for a day with the openssl command. @param names subject alternative names, e.g.
 * `DNS:a.example`
 */
export async function makeCertificates(names: readonly string[]): Promise<TestCertificates> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  const at = (file: string): string => join(folder, file);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  try {
    const usage = ['[ca]', 'basicConstraints = critical,CA:TRUE', 'keyUsage = critical,keyCertSign', ''].join('\n');
    await writeFile(at('ca.cnf'), request('Test CA') + usage);
    await writeFile(at('server.cnf'), request('Test receiver'));
    await writeFile(at('names.cnf'), `subjectAltName = ${names.join(',')}\n`);
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    await openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '1',
      '-config',
      'ca.cnf',
      '-extensions',
      'ca',
    );
    await openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-config', 'server.cnf');
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '2', '-days', '1', '-extfile', 'names.cnf'];
    await openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signing);
    const [ca, key, cert] = await Promise.all(
      ['ca.pem', 'server.key', 'server.pem'].map((file) => readFile(at(file), 'utf8')),
    );
    return { ca: ca ?? '', key: key ?? '', cert: cert ?? '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
