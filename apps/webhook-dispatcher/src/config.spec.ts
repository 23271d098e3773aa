import { generateSessionKeyPair } from '@blog-content/credentials';
import { ConfigError, loadConfig } from '@blog-content/service-runtime';
import { environment } from './config.ts';

const load = (jwks: string) =>
  loadConfig(
    environment,
    {
      DATABASE_URL: 'postgresql://localhost/dispatcher',
      EVENT_LOG_DATABASE_URL: 'postgresql://localhost/log',
      OWNER_SESSION_JWKS: jwks,
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    },
    'webhook-dispatcher',
  );

describe('OWNER_SESSION_JWKS', () => {
  it('that cannot verify sessions is rejected at startup', () => {
    expect(() => load('{"keys":[]}')).toThrow(ConfigError);
    expect(() => load('not JSON')).toThrow('OWNER_SESSION_JWKS is invalid (value hidden)');
  });

  it('with a set of public keys is kept as text', async () => {
    const { publicJwks } = await generateSessionKeyPair();
    expect(load(publicJwks).OWNER_SESSION_JWKS).toBe(publicJwks);
  });
});
