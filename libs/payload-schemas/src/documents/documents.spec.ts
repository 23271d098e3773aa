import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { autopilotTopic } from '../autopilot-topic.ts';
import { deliveriesTopic } from '../deliveries-topic.ts';
import { lifecycleTopic } from '../lifecycle-topic.ts';
import { projectsTopic } from '../projects-topic.ts';
import type { ServiceName } from '../services.ts';
import { sessionsTopic } from '../sessions-topic.ts';
import { webhookBody } from '../webhook-bodies.ts';
import { generatedDocuments, topics } from './documents.ts';

const docs = join(import.meta.dirname, '../../../../docs');

describe('the table of topics in docs/ARCHITECTURE.md', () => {
  const rows = readFileSync(join(docs, 'ARCHITECTURE.md'), 'utf8').split('\n');

  it.each(topics.map(({ name, types }) => [name, types] as const))('has %s, with each of its events', (name, types) => {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` | `)) ?? '';
    expect(types.filter((type) => !row.includes(`\`${type}\``))).toEqual([]);
    expect(row).not.toBe('');
  });
});

describe('an event of webhooks', () => {
  const contract = readFileSync(join(docs, 'contract.md'), 'utf8');
  const ofEvents = contract.split(/^## /m).find((section) => section.startsWith('6 ')) ?? '';

  it.each(webhookBody.options.map(({ shape }) => shape.event.value))('%s is told of where receivers look', (event) => {
    const row = new RegExp(`^\\| \`${event}\` +\\| `, 'm');
    expect(ofEvents).toMatch(row);
    expect(readFileSync(join(docs, 'webhooks.md'), 'utf8')).toMatch(row);
  });
});

describe('the README of a service', () => {
  const readmeOf = (service: ServiceName) => readFileSync(join(docs, '../apps', service, 'README.md'), 'utf8');

  it.each([
    ['content-service', lifecycleTopic],
    ['content-service', projectsTopic],
    ['content-service', sessionsTopic],
    ['content-service', autopilotTopic],
    ['webhook-dispatcher', deliveriesTopic],
  ] as const)('of %s has each event that it emits: %#', (service, { name, types }) => {
    const rows = [...readmeOf(service).matchAll(/^\| `([a-z.]+)` +\| `([a-z._]+)` +\| /gm)];
    const told = rows.flatMap(([, topic, event]) => (topic === name ? [event] : []));
    expect(told.sort()).toEqual([...types].sort());
  });

  it('of public-read-service has each event of blogs that it consumes', () => {
    const readme = readmeOf('public-read-service');
    expect(lifecycleTopic.types.filter((type) => !readme.includes(`\`${type}\``))).toEqual([]);
  });
});

describe('generated documents', () => {
  it.each([...generatedDocuments()])('docs/%s is what the schemas say (else run `npm run docs`)', (path, text) => {
    expect(readFileSync(join(docs, path), 'utf8')).toBe(text);
  });

  it('leaves no document behind that no schema makes', () => {
    const committed = readdirSync(join(docs, 'schemas'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(docs.length + 1));
    expect(committed.sort()).toEqual(
      [...generatedDocuments().keys()].filter((path) => path.startsWith('schemas/')).sort(),
    );
  });

  it('keeps every schema of what is sent open for later fields (contract §9.2)', () => {
    for (const [path, text] of generatedDocuments()) {
      if (path !== 'openapi.json') expect(text).not.toContain('"additionalProperties": false');
    }
  });
});
