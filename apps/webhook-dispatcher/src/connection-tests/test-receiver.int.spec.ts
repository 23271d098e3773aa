import { eventually } from '@blog-content/testing';
import { prepareSecureGround, SECRET, type SecureGround } from '../../test/grounds/secure-ground.ts';
import { webhookCalls } from '../../test/webhook-calls.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround();
});
afterAll(() => on[Symbol.asyncDispose]());

describe('a test that ends while the database cannot record it', () => {
  it('is recorded once the database can, and the owner sees what the receiver answered', async () => {
    const calls = await webhookCalls(on, await on.newProject());
    on.receiver.useSecret(SECRET);
    on.resolveTo(['127.0.0.1']);
    on.receiver.respondWith(async () => {
      await on.ground.query('ALTER TABLE delivery_attempt RENAME TO attempt_away');
      return { body: { ok: true } };
    });
    const testing = calls.test();
    const refused = eventually(() => {
      expect(on.dispatcher.lines).toContainEqual(
        expect.objectContaining({ event: 'receiver.test_not_recorded_yet', error: expect.anything() as unknown }),
      );
    });
    const tried = await Promise.race([refused.then(() => 'once more'), testing.then(() => 'not again')]);
    await on.ground.query('ALTER TABLE attempt_away RENAME TO delivery_attempt');
    expect(tried).toBe('once more');
    const { status, body } = await testing;
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, status_code: 200 });
    expect((await calls.detail(body.delivery_id)).body).toMatchObject({ status: 'succeeded', reason: null });
    expect(on.receiver.requests).toHaveLength(1);
  });
});
