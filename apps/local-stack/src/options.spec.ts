import { parseOptions } from './options.ts';

describe('the command line of npm start', () => {
  it('uses the embedded event log and port 4000 by default', () => {
    expect(parseOptions([])).toEqual({
      kafka: false,
      reset: false,
      help: false,
      examples: false,
      data: '.data/local-stack',
      port: 4000,
    });
  });
  it('takes every option', () => {
    expect(parseOptions(['--kafka', '--reset', '--port', '5000', '--data', '/tmp/x'])).toEqual({
      kafka: true,
      reset: true,
      help: false,
      examples: false,
      data: '/tmp/x',
      port: 5000,
    });
  });
  it.each(['0', '65535', '70000', '4000.5', 'http', ''])('refuses the port %p', (port) => {
    expect(() => parseOptions(['--port', port])).toThrow('--port must be a whole number between 1 and 65534');
  });
  it('refuses an unknown option', () => {
    expect(() => parseOptions(['--postgres'])).toThrow('--postgres');
  });
});
