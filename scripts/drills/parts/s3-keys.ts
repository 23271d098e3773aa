import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { startS3, versitygw } from '@blog-content/local-infrastructure';
import { newPassword } from './secured-servers.ts';

const run = promisify(execFile);

export interface S3Key {
  readonly id: string;
  readonly secret: string;
}

/** An S3 server with a bucket and access keys that come and go. */
export async function startS3WithKeys(dataDir: string) {
  const s3 = await startS3({ dataDir, disposable: true });
  const program = await versitygw();
  const admin = (...args: readonly string[]) =>
    run(program, ['admin', ...args], {
      env: {
        ADMIN_ACCESS_KEY_ID: s3.accessKeyId,
        ADMIN_SECRET_ACCESS_KEY: s3.secretAccessKey,
        ADMIN_REGION: s3.region,
        ADMIN_ENDPOINT_URL: s3.endpoint,
      },
    });
  const createKey = async (): Promise<S3Key> => {
    const key = { id: `key-${randomBytes(4).toString('hex')}`, secret: newPassword() };
    await admin('create-user', '--access', key.id, '--secret', key.secret, '--role', 'admin');
    return key;
  };
  const bucket = 'images';
  const owner = await createKey();
  await admin('create-bucket', '--bucket', bucket, '--owner', owner.id);
  return { ...s3, bucket, createKey, deleteKey: (id: string) => admin('delete-user', '--access', id) };
}
