import { createHmac } from 'node:crypto';
import { eventually, type ReceivedRequest, startReceiver } from '@blog-content/testing';
import { Webhook } from 'standardwebhooks';
import {
  prepareSecureGround,
  type ReceiverProject,
  SECRET,
  type SecureGround,
} from '../../test/grounds/secure-ground.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround();
});
beforeEach(() => {
  on.receiver.clear();
  on.receiver.respondWith(() => ({}));
});
afterAll(() => on[Symbol.asyncDispose]());

/** Values of every header line of that name, as they were sent. */
const lines = ({ rawHeaders }: ReceivedRequest, name: string) =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
const hmacOf = (request: ReceivedRequest, secret = SECRET) =>
  createHmac('sha256', secret).update(request.body).digest('hex');

/** One delivery of each kind by one trigger: published, updated, unpublished, deleted. */
const everyEvent = async ({ blog }: ReceiverProject, trigger: 'manual' | 'autopilot'): Promise<ReceivedRequest[]> => {
  await on.deliver(blog.published({ trigger }));
  await on.deliver(blog.published({ trigger }));
  await on.deliver(blog.unpublished(trigger));
  await on.deliver(blog.deleted(trigger));
  const requests = on.requestsOf(blog.id);
  expect(requests.map((request) => request.json()['event'])).toEqual([
    'blog.published',
    'blog.updated',
    'blog.unpublished',
    'blog.deleted',
  ]);
  return requests;
};

describe.each(['manual', 'autopilot'] as const)('§5.2, every event by %s', (trigger) => {
  it('.2 carries X-Webhook-Signature: 64 lowercase hexadecimal digits, no prefix, over the exact body bytes', async () => {
    for (const request of await everyEvent(await on.newProject(), trigger)) {
      expect(lines(request, 'x-webhook-signature')).toEqual([hmacOf(request)]);
      expect(request.signature).toBe('valid');
    }
  });

  it('.3 is signed over the bytes that are sent: their length is Content-Length, and they are not compressed or chunked', async () => {
    for (const request of await everyEvent(await on.newProject(), trigger)) {
      expect(lines(request, 'content-length')).toEqual([String(request.body.length)]);
      expect(request.headers).not.toHaveProperty('transfer-encoding');
      expect(request.headers).not.toHaveProperty('content-encoding');
      expect(request.headers).not.toHaveProperty('expect');
    }
  });

  it('.4 carries X-Legacy-Signature on the full bodies of autopilot publishes only', async () => {
    for (const request of await everyEvent(await on.newProject(), trigger)) {
      const isFull = ['blog.published', 'blog.updated'].includes(String(request.json()['event']));
      expect(lines(request, 'x-legacy-signature')).toEqual(
        trigger === 'autopilot' && isFull ? [`sha256=${hmacOf(request)}`] : [],
      );
    }
  });

  it('.5 has Content-Type application/json, once and without a parameter', async () => {
    const project = await on.newProject({ headers: { 'content-type': 'text/xml', 'CONTENT-TYPE': 'text/plain' } });
    for (const request of await everyEvent(project, trigger)) {
      expect(lines(request, 'content-type')).toEqual(['application/json']);
    }
  });

  it('.6 carries the custom headers unchanged', async () => {
    const headers = { Authorization: 'Bearer  two  spaces', 'x-CasE': 'KEPT', 'X-Empty': '', 'X-Latin': 'caf\u00e9' };
    for (const request of await everyEvent(await on.newProject({ headers }), trigger)) {
      expect(lines(request, 'authorization')).toEqual(['Bearer  two  spaces']);
      expect(lines(request, 'x-case')).toEqual(['KEPT']);
      expect(lines(request, 'x-empty')).toEqual(['']);
      expect(lines(request, 'x-latin')).toEqual(['caf\u00e9']);
    }
  });

  it('.2 carries no signature when no secret is configured', async () => {
    for (const request of await everyEvent(await on.newProject({ secret: null }), trigger)) {
      expect(request.headers).not.toHaveProperty('x-webhook-signature');
      expect(request.headers).not.toHaveProperty('x-legacy-signature');
    }
  });
});

describe.each(['manual', 'autopilot'] as const)('Standard Webhooks, every event by %s', (trigger) => {
  it('are verified by their own library where the integration asks for them, beside our signature', async () => {
    const headers = { 'Webhook-Signature': 'forged', 'webhook-id': 'forged' };
    const project = await on.newProject({ standard_webhooks: true, headers });
    for (const request of await everyEvent(project, trigger)) {
      const library = new Webhook(SECRET, { format: 'raw' });
      expect(library.verify(request.body, request.headers as Record<string, string>)).toEqual(request.json());
      expect(request.headers['webhook-id']).toBe(request.headers['x-webhook-delivery']);
      expect(request.signature).toBe('valid');
      expect(request.rawHeaders).not.toContain('forged');
    }
  });

  it('are left out where it does not, and where it has no secret', async () => {
    const unsigned = await on.newProject({ standard_webhooks: true, secret: null });
    const changed = await on.newProject({ standard_webhooks: true });
    await on.changeIntegration(changed, { standard_webhooks: false });
    for (const project of [await on.newProject(), changed, unsigned]) {
      await on.deliver(project.blog.published({ trigger }));
      const [request] = on.requestsOf(project.blog.id);
      expect(request?.headers).not.toHaveProperty('webhook-signature');
      expect(request?.headers).not.toHaveProperty('webhook-id');
    }
  });

  it('have the id of the delivery and the time of the attempt, on each attempt', async () => {
    if (trigger === 'manual') return;
    const project = await on.newProject({ standard_webhooks: true });
    on.receiver.respondWith(() => ({ status: on.receiver.requests.length === 1 ? 500 : 200 }));
    await on.deliver(project.blog.published({ trigger }));
    const requests = on.requestsOf(project.blog.id);
    expect(requests).toHaveLength(2);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const { body, headers } of requests) {
      new Webhook(SECRET, { format: 'raw' }).verify(body, headers as Record<string, string>);
    }
  });
});

describe('§5.2.3: the signed bytes are the sent bytes', () => {
  it.each([
    ['other scripts', 'Grüße, 茶, чай, شاي'],
    ['characters outside the basic plane', '🫖 tea 🍵 𝒯'],
    ['line separators and a byte order mark', 'a\u2028b\u2029c\ufeffd'],
    ['control characters', 'a\u0001b\u001fc\u007fd'],
    ['what JSON or HTML would escape', '"quoted" \\ </script> & <!-- \' `'],
    ['combining marks, not normalised', 'e\u0301 \u00e9 \ud55c \u1112\u1161\u11ab'],
    ['nothing', ''],
  ])('with %s in the title', async (_what, title) => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published({ revision: { title, excerpt: title } }));
    const [request] = on.requestsOf(blog.id);
    expect(request?.signature).toBe('valid');
    expect(request?.json()).toMatchObject({ title, excerpt: title });
  });
});

describe('§5.2.6: custom headers', () => {
  it.each(['X-Webhook-Signature', 'x-webhook-signature', 'X-LEGACY-SIGNATURE', 'X-Legacy-Signature', 'Content-Type'])(
    '“A custom %s header is ignored”',
    async (name) => {
      for (const secret of [SECRET, null]) {
        const { blog } = await on.newProject({ secret, headers: { [name]: 'forged' } });
        await on.deliver(blog.published({ trigger: 'autopilot' }));
        const [request] = on.requestsOf(blog.id);
        expect(request?.rawHeaders).not.toContain('forged');
        expect(request?.signature).toBe(secret === null ? 'missing' : 'valid');
      }
    },
  );

  it('“about 20 is the advised maximum, not enforced”: a hundred are sent', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`X-Custom-${index}`, `value ${index}`]),
    );
    const { blog } = await on.newProject({ headers });
    await on.deliver(blog.published());
    const [request] = on.requestsOf(blog.id);
    for (const [name, value] of Object.entries(headers)) expect(lines(request!, name.toLowerCase())).toEqual([value]);
  });

  it('keep the case in which the owner wrote their names', async () => {
    const { blog } = await on.newProject({ headers: { 'X-Site-ID': '1', 'x-lower': '2', SOAPAction: '3' } });
    await on.deliver(blog.published());
    const names = on.requestsOf(blog.id)[0]?.rawHeaders.filter((_, index) => index % 2 === 0);
    expect(names).toEqual(expect.arrayContaining(['X-Site-ID', 'x-lower', 'SOAPAction']));
  });

  it('come before what the service would say of itself', async () => {
    const { blog } = await on.newProject({ headers: { 'User-Agent': 'Mine/1.0', ACCEPT: 'text/plain' } });
    await on.deliver(blog.published());
    const [request] = on.requestsOf(blog.id);
    expect([lines(request!, 'user-agent'), lines(request!, 'accept')]).toEqual([['Mine/1.0'], ['text/plain']]);
  });

  it('cannot change where the request ends or who reads it: they are refused at save', async () => {
    const framing = ['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'TE', 'Trailer', 'Expect'];
    const project = await on.newProject();
    for (const name of [...framing, 'Keep-Alive', 'Proxy-Authorization', 'Bad Name', 'X-Bad:', '']) {
      await expect(on.changeIntegration(project, { headers: { [name]: '1' } })).rejects.toThrow('422');
    }
    for (const value of ['a\r\nX-Injected: 1', 'a\nb', 'a\u0000b', '\u{1f375}']) {
      await expect(on.changeIntegration(project, { headers: { 'X-Value': value } })).rejects.toThrow('422');
    }
    await on.deliver(project.blog.published());
    expect(on.requestsOf(project.blog.id)).toMatchObject([{ signature: 'valid' }]);
  });
});

describe('§5.2.8: the secret is read when a request is made', () => {
  it('a retry is signed with the secret that was set after the attempt before', async () => {
    const project = await on.newProject();
    const next = 'another secret of the owner';
    on.receiver.respondWith(async (request) => {
      if (request.json()['publish_attempt'] !== 1) return {};
      await on.changeIntegration(project, { secret: next });
      on.receiver.useSecret(next);
      return { status: 500 };
    });
    await on.deliver(project.blog.published({ trigger: 'autopilot' }));
    on.receiver.useSecret(SECRET);
    const requests = on.requestsOf(project.blog.id);
    expect(requests.map(({ signature }) => signature)).toEqual(['valid', 'valid']);
    expect(requests.map((request) => lines(request, 'x-webhook-signature')[0])).toEqual([
      hmacOf(requests[0]!, SECRET),
      hmacOf(requests[1]!, next),
    ]);
    expect(lines(requests[1]!, 'x-legacy-signature')).toEqual([`sha256=${hmacOf(requests[1]!, next)}`]);
  });

  it('a delivery that was planned before is signed with the new one, and goes to the new URL with the new headers', async () => {
    const project = await on.newProject({ headers: { 'X-Old': '1' } });
    const next = 'another secret of the owner';
    const other = await startReceiver({ secret: next, certificate: on.certificate });
    const failed = project.blog.published({ trigger: 'autopilot' });
    on.receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '1' } }));
    await on.ground.append(failed);
    await eventually(() => on.ground.retriesPlanned(failed.id).length > 0);
    await on.changeIntegration(project, { url: on.urlOf(other.port), secret: next, headers: { 'X-New': '1' } });
    expect(await on.ground.finished(failed.id)).toMatchObject([{ outcome: 'succeeded', attempts: 2 }]);
    expect(other.requests).toMatchObject([{ signature: 'valid', headers: { 'x-new': '1' } }]);
    expect(other.requests[0]?.headers).not.toHaveProperty('x-old');
    await other.close();
  });

  it('a secret that was taken away signs no more', async () => {
    const project = await on.newProject();
    await on.deliver(project.blog.published());
    await on.changeIntegration(project, { secret: null });
    await on.deliver(project.blog.published());
    expect(on.requestsOf(project.blog.id).map(({ signature }) => signature)).toEqual(['valid', 'missing']);
  });

  it('each receiver’s requests are signed with its own', async () => {
    const project = await on.newProject();
    const secret = 'the secret of the other one';
    const other = await startReceiver({ secret, certificate: on.certificate });
    await on.addIntegration(project.projectId, { url: on.urlOf(other.port), secret });
    await on.deliver(project.blog.published(), 2);
    expect(on.requestsOf(project.blog.id)).toMatchObject([{ signature: 'valid' }]);
    expect(other.requests).toMatchObject([{ signature: 'valid' }]);
    expect(other.requests[0]?.body).toEqual(on.requestsOf(project.blog.id)[0]?.body);
    await other.close();
  });
});
