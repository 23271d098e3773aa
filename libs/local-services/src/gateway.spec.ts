import { serviceForPath } from './gateway.ts';

describe('the gateway’s paths (docs/ARCHITECTURE.md “HTTP surface”)', () => {
  const project = '/blog/api/v1/owner/projects/7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
  it.each([
    ['/blog/api/v1/public/blogs?limit=1', 'public-read-service'],
    ['/blog/api/v1/owner/session', 'content-service'],
    ['/blog/api/v1/owner/projects', 'content-service'],
    [project, 'content-service'],
    [`${project}/blogs`, 'content-service'],
    [`${project}/publishes/1`, 'content-service'],
    [`${project}/public-key`, 'public-read-service'],
    [`${project}/public-key/rotate`, 'public-read-service'],
    [`${project}/webhooks?limit=2`, 'webhook-dispatcher'],
    [`${project}/deliveries/1`, 'webhook-dispatcher'],
    [`${project}/deploy-hook`, 'webhook-dispatcher'],
    [`${project}/direct-integrations`, 'webhook-dispatcher'],
    ['/blog/api/v1/agent/blogs', 'content-service'],
  ])('%s → %s', (path, service) => {
    expect(serviceForPath(path)).toBe(service);
  });

  it.each(['/', '/metrics', '/blog/api/v2/public/blogs', '/blog/api/v1/publicity'])('nobody answers %s', (path) => {
    expect(serviceForPath(path)).toBeNull();
  });
});
