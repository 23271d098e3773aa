import { imageIdentity } from './image-identity.ts';

describe('two spellings of a URL', () => {
  const url = 'https://cdn.example/a%2Fb/%C3%A9~x.jpg?w=%5B1%5D';
  it.each([
    ['escapes in lower case', 'https://cdn.example/a%2fb/%c3%a9~x.jpg?w=%5b1%5d'],
    ['escapes of what needs none', 'https://cdn.example/%61%2Fb/%C3%A9%7ex%2ejpg?w=%5B1%5D'],
    ['scheme and host in capitals', 'HTTPS://CDN.example:443/a%2Fb/%C3%A9~x.jpg?w=%5B1%5D'],
    ['letters that are escaped only here', ' https://cdn.example/a%2Fb/é~x.jpg?w=%5B1%5D'],
  ])('name the same image when they differ in %s', (_case, spelt) => {
    expect(imageIdentity(spelt)).toBe(imageIdentity(url));
  });

  it.each(['https://cdn.example/a/b/%C3%A9~x.jpg?w=%5B1%5D', 'https://cdn.example/a%252Fb/%C3%A9~x.jpg?w=%5B1%5D'])(
    'name different images when their characters differ: %s',
    (other) => {
      expect(imageIdentity(other)).not.toBe(imageIdentity(url));
    },
  );

  it('name the same image also where they are no whole URLs', () => {
    expect(imageIdentity('/a%2fb.png')).toBe(imageIdentity('/a%2Fb.png'));
    expect(imageIdentity('/a%zz')).toBe('/a%zz');
  });
});
