import { serviceNames } from '@blog-content/payload-schemas';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOptionsOf } from './node-options.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

const ofService = (service: (typeof serviceNames)[number]) => nodeOptionsOf(service).join(' ');
const ofImage = ofService('content-service');

describe.each(serviceNames.filter((service) => ofService(service) !== ofImage))('Node’s options of %s', (service) => {
  it('are in k8s/ and in docker/compose.yml as they are measured here', () => {
    const options = ofService(service);
    const compose = read('docker/compose.yml').split(`image: blog-content/${service}:1\n    env_file`)[1] ?? '';
    for (const text of [compose, read(`k8s/base/${service}.yaml`)]) {
      expect(/NODE_OPTIONS(?:\n +value)?: '([^'\n]+)'/.exec(text)?.[1]).toBe(options);
    }
  });
});

it('The image gives every service those of content-service, which no deployment has to know of', () => {
  expect(read('docker/Dockerfile')).toContain(`ENV NODE_OPTIONS="${ofImage}"\n`);
});

it('Overlays of Kubernetes add to a container’s environment and do not replace it, which would take the options away', () => {
  for (const overlay of ['local', 'smoke'])
    expect(read(`k8s/overlays/${overlay}/kustomization.yaml`)).not.toMatch(/containers\/\d+\/env\n/);
});
