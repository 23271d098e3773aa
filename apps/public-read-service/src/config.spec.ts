import { generateSessionKeyPair } from '@blog-content/credentials';
import { ConfigError, describeConfig, loadConfig } from '@blog-content/service-runtime';
import { CONNECTIONS_OF_REPLICA } from '@blog-content/postgres';
import { environment } from './config.ts';
import { connectionsOfReplica } from './database/open-database.ts';

const encryptionKey = Buffer.alloc(32, 7).toString('base64');
const given = async () => ({
  DATABASE_URL: 'postgresql://reader:hidden@db/read',
  EVENT_LOG_DATABASE_URL: 'postgresql://reader:hidden@db/events',
  OWNER_SESSION_JWKS: (await generateSessionKeyPair()).publicJwks,
  ENCRYPTION_KEYS: `k1:${encryptionKey}`,
  IMAGE_DISK_PATH: '/images',
});

describe('the environment', () => {
  it('has defaults for all that can have one', async () => {
    expect(loadConfig(environment, await given(), 'public-read-service')).toMatchObject({
      PORT: 8080,
      DATABASE_POOL_SIZE: 7,
    });
  });

  it('keeps the service within its budget of connections', async () => {
    const { DATABASE_POOL_SIZE } = loadConfig(environment, await given(), 'public-read-service');
    expect(connectionsOfReplica(DATABASE_POOL_SIZE)).toBe(CONNECTIONS_OF_REPLICA['public-read-service']);
  });

  it.each(['DATABASE_URL', 'OWNER_SESSION_JWKS', 'ENCRYPTION_KEYS', 'IMAGE_DISK_PATH'] as const)(
    'needs %s',
    async (name) => {
      const { [name]: _left, ...rest } = await given();
      expect(() => loadConfig(environment, rest, 'public-read-service')).toThrow(ConfigError);
      expect(() => loadConfig(environment, rest, 'public-read-service')).toThrow(name);
    },
  );

  it('shows no secret in the startup log line', async () => {
    const config = loadConfig(environment, await given(), 'public-read-service');
    const shown = JSON.stringify(describeConfig(environment, config));
    for (const secret of ['hidden', encryptionKey]) expect(shown).not.toContain(secret);
  });
});
