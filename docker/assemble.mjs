// Copies a built service with exactly the packages it needs in production, each where it stands in the workspace:
//   node docker/assemble.mjs apps/content-service libs/operator-commands /service
// Commands of the packages named (`bin`) are in the folder `bin` of the target.
// It follows the manifests through the installed packages: `dependencies`, and of the optional and peer dependencies
// those that are installed. Optional peers are left out: an installation by npm keeps them whenever a developer's tool
// happens to be one (@prisma/client has the Prisma command line as such a peer), and takes the devDependencies of the
// workspace's own packages for production ones. A package that is installed twice in one version is there once, and
// linked: Node would load it twice (ADR 1).
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const entries = process.argv.slice(2);
const target = entries.pop();
if (entries.length === 0) {
  console.error('Usage: node docker/assemble.mjs <folder of a package>… <target folder>');
  process.exit(2);
}
const root = process.cwd();
/** What the workspace's own packages consist of at run time. */
const parts = ['package.json', 'dist', 'prisma'];
const notForRunning = /\.d\.[cm]?ts(\.map)?$|\.tsbuildinfo$|\/dist\/spec$/;
/** Nested packages are followed by themselves; Prisma brings a query compiler for each database there is (55 MB). */
const notOfPackages = /\/node_modules$|\/@prisma\/client\/runtime\/.*\.(cockroachdb|mysql|sqlite|sqlserver)\./;

/** The folder (or link) of an installed package as Node finds it from `folder`, or undefined. */
function find(name, folder) {
  for (let parent = folder; parent.startsWith(root); parent = dirname(parent)) {
    const candidate = join(parent, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
}

function neededBy(manifest) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const required = Object.keys(dependencies).filter((name) => !(name in optionalDependencies));
  return [
    ...required.map((name) => ({ name, required: true })),
    ...[...Object.keys(optionalDependencies), ...peers].map((name) => ({ name, required: false })),
  ];
}

const copied = new Set();
/** Where an installed package in this version already is in the target. */
const versions = new Map();
function assemble(folder) {
  if (copied.has(folder)) return;
  copied.add(folder);
  const to = join(target, relative(root, folder));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (folder.includes('/node_modules/')) {
    const version = `${manifest.name}@${manifest.version}`;
    const same = versions.get(version);
    if (same !== undefined) return link(to, same);
    versions.set(version, to);
    cpSync(folder, to, { recursive: true, filter: (path) => !notOfPackages.test(path) });
  } else {
    const filter = (path) => !notForRunning.test(path);
    for (const part of parts.filter((name) => existsSync(join(folder, name)))) {
      cpSync(join(folder, part), join(to, part), { recursive: true, filter });
    }
  }
  for (const { name, required } of neededBy(manifest)) {
    const found = find(name, folder);
    if (found === undefined) {
      if (required) throw new Error(`${name}, needed by ${relative(root, folder)}, is not installed.`);
      continue;
    }
    const real = realpathSync(found);
    const at = join(target, relative(root, found));
    if (real !== found && !existsSync(at)) link(at, join(target, relative(root, real)));
    assemble(real);
  }
}

function link(at, to) {
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(relative(dirname(at), to), at);
}

for (const entry of entries) {
  assemble(resolve(entry));
  const { bin = {} } = JSON.parse(readFileSync(join(entry, 'package.json'), 'utf8'));
  for (const [name, file] of Object.entries(bin)) {
    const program = join(target, entry, file);
    chmodSync(program, 0o755);
    link(join(target, 'bin', name), program);
  }
}
console.log(`${copied.size} packages in ${target}`);
