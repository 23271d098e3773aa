import { createCors } from './cors.ts';

describe('which web pages may read (CORS)', () => {
  it('is none unless set', () => {
    expect(createCors([])).toBeNull();
  });

  it('may be all', () => {
    const cors = createCors(['*'])!;
    expect(cors.headersFor('https://a.example')).toEqual(expect.arrayContaining(['access-control-allow-origin', '*']));
  });

  it('may be some origins; others only get Vary', () => {
    const cors = createCors(['https://a.example', 'https://b.example'])!;
    expect(cors.headersFor('https://b.example')).toEqual(
      expect.arrayContaining(['access-control-allow-origin', 'https://b.example', 'vary', 'Origin']),
    );
    for (const other of [undefined, 'https://c.example', 'https://a.example.evil', 'null']) {
      expect(cors.headersFor(other)).toEqual(['vary', 'Origin']);
    }
  });
});
