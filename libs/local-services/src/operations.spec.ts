import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const operations = read('docs/operations.md');

/** What a manifest has in its files, each with whether it has the label that a restore leaves out. */
const objectsOf = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/{kustomization,network-policies,priority-class}.yaml'] })
    .flatMap((file) => read(file).split('\n---\n'))
    .map((text) => ({
      name: `${/^kind: (.*)$/m.exec(text)?.[1]} ${/^ {2}name: (.*)$/m.exec(text)?.[1]}`,
      labelled: /^ {2}labels: \{ app\.kubernetes\.io\/name: /m.test(text),
    }));

describe('a restore on Kubernetes', () => {
  it('makes what has no label of a service first', () => {
    expect(operations).toContain("kubectl apply -k k8s/overlays/local --selector '!app.kubernetes.io/name'\n");
  });

  it.each(['k8s/base/*.yaml', 'k8s/components/dashboard/*.yaml', 'k8s/jobs/rebuild-read-model/*.yaml'])(
    'starts nothing of %s with that: all of it has the label',
    (pattern) => {
      const objects = objectsOf(pattern);
      expect(objects.length).toBeGreaterThan(0);
      expect(objects.filter(({ labelled }) => !labelled)).toEqual([]);
    },
  );

  it('makes all that the overlay adds with that: none of it has the label', () => {
    const objects = objectsOf('k8s/overlays/local/*.yaml');
    expect(objects.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['StatefulSet postgres', 'StatefulSet kafka', 'PersistentVolumeClaim images']),
    );
    expect(objects.filter(({ labelled }) => labelled)).toEqual([]);
  });
});

describe('the pod that copies images', () => {
  const manifest = 'k8s/jobs/copy-images.yaml';
  const pod = read(manifest);

  it('is the one that docs/operations.md makes, to back up and to restore', () => {
    expect(operations.split(`apply -f ${manifest}\n`)).toHaveLength(3);
  });

  it('has the volume of the services’ images, where they have it, and is who they are', () => {
    const overlay = read('k8s/overlays/local/kustomization.yaml');
    const claim = /claimName: \w+/.exec(overlay)?.[0];
    const folder = /IMAGE_DISK_PATH=(.*)/.exec(overlay)?.[1];
    expect(pod).toContain(claim);
    expect(pod).toContain(`mountPath: ${folder} `);
    expect(operations.split(`copy-images -- tar -C ${folder} `)).toHaveLength(3);
    expect(overlay).toContain('path: /spec/template/spec/securityContext/fsGroup\n        value: 1000\n');
    expect(pod).toMatch(/runAsUser: 1000\n +fsGroup: 1000\n/);
  });

  it('leaves the volume’s own folder as it is: that belongs to root', () => {
    expect(operations).toContain(' --skip-old-files -xf - < backup/images.tar');
  });
});

describe('the check that the event log is read to its end', () => {
  const programs = [...operations.matchAll(/--all-groups \|\n +awk '(.*)'\n/g)].map(([, program = '']) => program);
  const lagOf = (program: string, answer: string) =>
    execFileSync('awk', [program], { input: answer, encoding: 'utf8' });
  const header = 'GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n';

  it('is one for compose and one for Kubernetes', () => {
    expect(programs).toHaveLength(2);
  });

  it.each(programs)('says how many messages are not read yet, 0 among them: %s', (program) => {
    const rows =
      "\nConsumer group 'a' has no active members.\n\na blog.served 0 5 5 0 - - -\na blog.served 1 - 0 - - - -\n";
    expect(lagOf(program, header + rows)).toBe('0\n');
    expect(lagOf(program, `${header}${rows}b blog.served 0 3 5 2 - - -\nb blog.projects 0 1 2 1 - - -\n`)).toBe('3\n');
  });

  it.each(programs)('does not say 0 when Kafka did not answer: %s', (program) => {
    expect(lagOf(program, 'Error: Executing consumer group command failed due to a timeout\n')).toBe('unknown\n');
    expect(lagOf(program, '')).toBe('unknown\n');
  });
});

it('Kafka’s tools reach the broker within its pod by the name that it advertises, without DNS, which the policies refuse', () => {
  const kafka = read('k8s/overlays/local/kafka.yaml');
  const advertised = /KAFKA_ADVERTISED_LISTENERS, value: 'PLAINTEXT:\/\/(\w+):9092'/.exec(kafka)?.[1];
  expect(kafka).toContain(`hostAliases:\n        - { ip: 127.0.0.1, hostnames: [${advertised}] }\n`);
});

it('Dumps are read to their end: a table of contents comes before all that may be missing', () => {
  expect(operations).not.toContain('pg_restore --list');
  expect(operations.match(/pg_restore --file=- < backup\/\$database\.dump \| grep -c '\^COPY '\n/g)).toHaveLength(2);
});

it('The files that docs/operations.md names exist', () => {
  const files = [...operations.matchAll(/\b(?:k8s|docker)\/[\w/-]+\.ya?ml/g)].map(([file]) => file);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('With compose the folder that Caddy keeps its configuration in belongs to its user', () => {
  const user = /USER (\d+):(\d+)\nEXPOSE 8080 9090\nHEALTHCHECK.*\n.*\nCMD \["caddy"/.exec(read('docker/Dockerfile'));
  expect(user).not.toBeNull();
  expect(read('docker/compose.yml')).toContain(`'/config:uid=${user?.[1]},gid=${user?.[2]},mode=0700'`);
});
