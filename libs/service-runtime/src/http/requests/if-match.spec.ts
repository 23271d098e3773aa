import type { Request } from 'express';
import { etagOf, preconditionFailed, readIfMatch } from './read-parameters.ts';
import { OperationalError } from '../operational-error.ts';
import { serveApp } from '../../../test/serve-app.ts';

const requestWith = (ifMatch: string | undefined) =>
  ({ headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } }) as unknown as Request;
const allows = (ifMatch: string | undefined, version: number) => readIfMatch(requestWith(ifMatch))(version);
const refusalOf = (ifMatch: string): OperationalError => {
  try {
    readIfMatch(requestWith(ifMatch));
  } catch (error) {
    if (error instanceof OperationalError) return error;
  }
  throw new Error('it was not refused');
};

describe('If-Match (RFC 9110, 13.1.1)', () => {
  it.each([undefined, '*', ' * '])('%j allows every version', (value) => {
    expect([1, 2, 2_147_483_647].map((version) => allows(value, version))).toEqual([true, true, true]);
  });

  it.each([etagOf(7), ` ${etagOf(7)} `, '"6", "7"', '"7","other"', 'W/"6", "7"'])('%j allows version 7', (value) => {
    expect(allows(value, 7)).toBe(true);
  });

  it.each(['"6"', '"6", "8"', '"07"', '"7.0"', '""'])('%j does not allow version 7', (value) => {
    expect(allows(value, 7)).toBe(false);
  });

  it('never matches weak tags: they promise less than a change needs', () => {
    expect(allows('W/"7"', 7)).toBe(false);
  });

  it.each(['7', '', '"7', '7"', '"7" "8"', '"7",', '*, "7"', 'w/"7"', '"a b"', `"${'7'.repeat(1_000)}"`])(
    '%j is refused with 400',
    (value) => {
      expect(refusalOf(value)).toMatchObject({ status: 400, detail: expect.stringContaining('If-Match') });
    },
  );
});

describe('a version', () => {
  it('has a strong entity tag', () => {
    expect(etagOf(7)).toBe('"7"');
  });
});

describe('a change that does not match', () => {
  it('is answered 412 and says what to do, end to end', async () => {
    await using app = await serveApp((routes) => {
      routes.patch('/blog', (request, response) => {
        if (!readIfMatch(request)(7)) throw preconditionFailed('post');
        response.set('ETag', etagOf(8)).json({});
      });
    });
    const patch = (ifMatch: string | string[]) => app.http.patch('blog', { headers: { 'if-match': ifMatch } });
    expect((await patch('"7"')).headers['etag']).toBe('"8"');
    const refused = await patch('"6"');
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([412, 'application/problem+json']);
    expect(JSON.parse(refused.body)).toEqual({
      title: 'Precondition Failed',
      status: 412,
      detail: expect.stringMatching(/^The post changed since you read it/),
    });
    // A header sent twice is one list.
    expect((await patch(['"6"', '"7"'])).statusCode).toBe(200);
    expect((await patch('7')).statusCode).toBe(400);
  });
});
