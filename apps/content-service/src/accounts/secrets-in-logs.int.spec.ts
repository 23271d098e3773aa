import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { createLogger } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import { newPerson } from '../../test/people.ts';
import { OWNER, startRunningService } from '../../test/running-service.ts';

describe('the logs', () => {
  it('contain no password and no token, accepted or refused', async () => {
    let logged = '';
    const destination = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    await using service = await startRunningService({}, createLogger('content-service', 'debug', destination));
    const secrets: string[] = [OWNER.password];
    /** A secret that the service is to refuse. */
    const wrong = () => {
      const secret = `wrong ${randomUUID()}`;
      secrets.push(secret);
      return secret;
    };
    const token = await service.signIn();
    const person = await newPerson(service, token);
    secrets.push(token, person.password, person.token, person.refreshToken);
    const reset = await service.call('POST', `accounts/${person.id}/password-resets`, { token, json: {} });
    const invited = await service.call('POST', 'invitations', { token, json: { email: 'new@example.com' } });
    secrets.push(reset.body.token, invited.body.token);
    const refreshed = await service.call('POST', 'session/refresh', { json: { refresh_token: person.refreshToken } });
    secrets.push(refreshed.body.token, refreshed.body.refresh_token);

    await service.call('POST', 'session', { json: { email: OWNER.email, password: wrong() } });
    await service.call('POST', 'session', { body: `{"password":"${wrong()}` });
    await service.call('POST', 'session/refresh', { json: { refresh_token: wrong() } });
    await service.call('POST', 'password-reset', { json: { token: wrong(), new_password: wrong() } });
    await service.call('POST', 'invitations/accept', { json: { token: wrong(), password: wrong() } });
    const json = { current_password: wrong(), new_password: wrong() };
    await service.call('POST', 'account/password', { token: person.token, json });
    await service.call('GET', 'session', { token: wrong() });
    await service.call('DELETE', 'session', { token: person.token });

    await eventually(() => {
      expect(logged.split('\n').filter((line) => line.includes('"http.request"')).length).toBeGreaterThanOrEqual(14);
      return Promise.resolve();
    });
    for (const secret of secrets) expect(logged).not.toContain(secret);
    expect(logged).not.toMatch(/argon2id/);
  });
});
