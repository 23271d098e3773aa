import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { nearest } from './nearest.ts';

/** A project of the workspace that has tests. */
export interface TestedProject {
  readonly name: string;
  /** Below the root of the repository. */
  readonly folder: string;
  /** The paths of its spec files, below the root. */
  readonly specs: readonly string[];
}

const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated']);

/** All projects with tests, by name. */
export function testedProjects(root: string): Map<string, TestedProject> {
  const folders = ['apps', 'libs'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)));
  const projects = folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({
      name: (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { nx: { name: string } }).nx.name,
      folder,
      specs: globSync('**/*.spec.ts', {
        cwd: join(root, folder),
        exclude: (path) => path.split('/').some((part) => NOT_SOURCES.has(part)),
      })
        .map((path) => join(folder, path))
        .sort(),
    }))
    .filter(({ specs }) => specs.length > 0);
  return new Map(projects.map((project) => [project.name, project]));
}

/**
 * The projects named, each with the spec files whose paths contain one of the texts.
 *
 * @throws an `Error` for a name or a text that matches nothing, with the nearest that do.
 */
export function chosen(
  projects: ReadonlyMap<string, TestedProject>,
  names: readonly string[],
  texts: readonly string[],
): TestedProject[] {
  const named = names.map((name) => {
    const project = projects.get(name);
    if (project) return project;
    const others = [...projects.keys()];
    throw new Error(
      `No project with tests named ${JSON.stringify(name)}. Nearest: ${nearest(name, others).join(', ')}.\nAll: ${others.join(', ')}.`,
    );
  });
  if (texts.length === 0) return named;
  const all = named.flatMap(({ specs }) => specs);
  for (const text of texts) {
    if (all.some((path) => path.includes(text))) continue;
    const near = nearest(text, all, (path) => path.replace(/^.*\//, '').replace(/(\.int|\.e2e)?\.spec\.ts$/, ''));
    throw new Error(
      `No spec file of ${names.join(', ')} has ${JSON.stringify(text)} in its path. Nearest: ${near.join(', ')}.`,
    );
  }
  return named
    .map((project) => ({
      ...project,
      specs: project.specs.filter((path) => texts.some((text) => path.includes(text))),
    }))
    .filter(({ specs }) => specs.length > 0);
}

/**
 * The text of a spec file and of all that it imports by relative paths: what it uses can be read there. Not of what is
 * generated, nor of an index, which names all that a package has.
 */
export function sourcesOf(root: string, spec: string, cache = new Map<string, string>()): string {
  const seen = new Set<string>();
  const texts: string[] = [];
  const queue = [join(root, spec)];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file) || /\/generated\/|\/src\/index\.ts$/.test(file)) continue;
    seen.add(file);
    const text = cache.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '');
    cache.set(file, text);
    texts.push(text);
    for (const [, path = ''] of text.matchAll(/(?:from|import) '(\.[^']+\.ts)'/g))
      queue.push(join(dirname(file), path));
  }
  return texts.join('\n');
}

const SERVERS =
  /\b(?:testDatabaseUrl|createTestDatabase|createEmptyDatabase|dropTestDatabases|testServerUrl|testKafkaBrokers|startTestInfrastructure)\b|TEST_(?:DATABASE_URL|KAFKA_BROKERS)/;

/** Whether a test uses the servers of the run, by its sources. */
export const usesServers = (sources: string) => SERVERS.test(sources);

/** A spec's path as its project's jest has it. */
export const withinProject = ({ folder }: TestedProject, spec: string) => relative(folder, spec);
