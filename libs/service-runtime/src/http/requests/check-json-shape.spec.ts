import { checkJsonShape } from './json-body.ts';

const check = (text: string) => checkJsonShape(Buffer.from(text));

describe('checkJsonShape', () => {
  it('lets 32 levels pass and not 33', () => {
    expect(() => check('[{"a":'.repeat(16) + '}]'.repeat(16))).not.toThrow();
    expect(() => check('['.repeat(33))).toThrow('nested more than 32 levels');
  });

  it.each([
    ['arrays', '[],'],
    ['objects', '{},'],
    ['numbers', '1,'],
    ['fields', '"a":1,'],
  ])('refuses more than 5,000 values: %s', (_name, piece) => {
    expect(() => check(`[${piece.repeat(2_000)}`)).not.toThrow();
    expect(() => check(`[${piece.repeat(5_001)}`)).toThrow('more than 5000 values');
  });

  it('counts nothing within strings, wherever they seem to end', () => {
    const many = '[{,'.repeat(50_000);
    expect(() => check(`{"a":"${many}","b\\"${many}":"\\\\","語":"${many}"}`)).not.toThrow();
    expect(() => check(`{"a":"\\\\",${many}}`)).toThrow('nested');
    expect(() => check(`{"a":"${many}\\`)).not.toThrow();
  });

  it('does not go from byte to byte of a long text without escapes', () => {
    let reads = 0;
    const bytes = new Proxy(Buffer.from(`{"content":"${'<svg>'.repeat(100_000)}"}`), {
      get(target, property) {
        if (typeof property === 'string' && /^\d+$/.test(property)) reads += 1;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    checkJsonShape(bytes);
    expect(reads).toBeLessThan(100);
  });
});
