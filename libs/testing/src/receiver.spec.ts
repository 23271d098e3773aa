import { createHmac } from 'node:crypto';
import got from 'got';
import { createTestCertificate, startReceiver, type Receiver, type StartReceiverOptions } from './index.ts';

const secret = 'a-secret-of-sixteen-or-more';
const sign = (body: string) => createHmac('sha256', secret).update(body).digest('hex');

const open: Receiver[] = [];
async function receiver(options?: StartReceiverOptions): Promise<Receiver> {
  const started = await startReceiver(options);
  open.push(started);
  return started;
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const client = got.extend({ throwHttpErrors: false, retry: { limit: 0 } });

describe('startReceiver', () => {
  it('keeps the exact bytes and headers of what arrived', async () => {
    const { url, requests } = await receiver();
    const body = '{ "title":"Grüße",\n\t"n": 1.0 }';

    const response = await client.post(url, { body, headers: { 'X-Custom': 'yes' } });

    expect(response.statusCode).toBe(200);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.body).toEqual(Buffer.from(body));
    expect(requests[0]?.headers['x-custom']).toBe('yes');
    expect(requests[0]?.json()).toEqual({ title: 'Grüße', n: 1 });
    expect(requests[0]?.signature).toBe('unchecked');
  });

  it('answers 401 to a missing or wrong signature, and 200 to the right one', async () => {
    const { url, requests } = await receiver({ secret });
    const body = '{"event":"test.ping"}';
    const statuses: number[] = [];

    for (const signature of [
      undefined,
      sign(`${body} `),
      `sha256=${sign(body)}`,
      sign(body).toUpperCase(),
      sign(body),
    ]) {
      const headers = signature === undefined ? {} : { 'X-Webhook-Signature': signature };
      statuses.push((await client.post(url, { body, headers })).statusCode);
    }

    expect(requests.map(({ signature }) => signature)).toEqual(['missing', 'invalid', 'invalid', 'invalid', 'valid']);
    expect(statuses).toEqual([401, 401, 401, 401, 200]);
  });

  it('answers as told: by request, in pieces, not at all', async () => {
    const one = await receiver({
      respond: ({ index }) => ({ status: 500 + index, body: 'no', headers: { 'x-a': 'b' } }),
    });
    expect((await client.post(one.url, { body: '1' })).statusCode).toBe(500);
    expect((await client.post(one.url, { body: '2' })).statusCode).toBe(501);

    one.respondWith(() => ({
      body: (async function* () {
        await Promise.resolve();
        yield 'a';
        yield 'b';
      })(),
    }));
    expect((await client.post(one.url, { body: '3' })).body).toBe('ab');

    one.respondWith(() => ({ disconnect: true }));
    await expect(client.post(one.url, { body: '4' })).rejects.toThrow();

    one.respondWith(() => ({ hang: true }));
    const givingUp = new AbortController();
    const unanswered = client.post(one.url, { body: '5', signal: givingUp.signal });
    await one.waitFor(({ body }) => body.toString() === '5');
    givingUp.abort();
    await expect(unanswered).rejects.toThrow('aborted');
    expect(one.requests).toHaveLength(5);
  });

  it('waits for a request that matches, past or coming', async () => {
    const { url, waitFor } = await receiver();
    const coming = waitFor(({ body }) => body.toString() === 'second');
    await client.post(url, { body: 'first' });
    await client.post(url, { body: 'second' });

    expect((await coming).index).toBe(1);
    expect((await waitFor(({ body }) => body.toString() === 'first')).index).toBe(0);
    await expect(waitFor(() => false, 10)).rejects.toThrow('2 others arrived');
  });

  it('serves HTTPS with a certificate that clients of its authority trust', async () => {
    const certificate = await createTestCertificate();
    const { url } = await receiver({ certificate });

    const trusting = await client.post(url, { body: '{}', https: { certificateAuthority: certificate.authority } });

    expect(trusting.statusCode).toBe(200);
    await expect(client.post(url, { body: '{}' })).rejects.toThrow(/certificate/);
  });
});
