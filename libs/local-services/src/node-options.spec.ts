import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOptionsOf } from './node-options.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

describe('Node’s options of public-read-service', () => {
  const options = nodeOptionsOf('public-read-service').join(' ');

  it.each(['k8s/base/public-read-service.yaml', 'docker/compose.yml'])(
    'bound its heap in %s as they do in what is measured here',
    (path) => {
      expect(/NODE_OPTIONS(?:\n +value)?: '([^'\n]+)'/.exec(read(path))?.[1]).toBe(options);
    },
  );
});

it('The image gives every service the options that no deployment has to know of', () => {
  expect(read('docker/Dockerfile')).toContain(`ENV NODE_OPTIONS="${nodeOptionsOf('content-service').join(' ')}"\n`);
});
