// `npm run pack`: the tarballs of the published packages, for a registry or a deployment.
import { packPackages } from '@blog-content/local-services';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const DEFAULT_FOLDER = 'dist/packages';
const usage = `Usage: npm run pack [-- <folder>]

Builds, checks and packs the client, the receiver and the blog command into a folder (default ${DEFAULT_FOLDER}):
<name>.tgz, the same file as <name>-<version>-<hash>.tgz, and index.json. Builds are reproducible. A deployment serves
the folder at /packages/. To publish a package: npm publish ${DEFAULT_FOLDER}/client.tgz

Fails on unexpected files, missing types or programs, undeclared dependencies, and a version that differs from
CHANGELOG.md.

  --help   show help`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h', default: false } },
  allowPositionals: true,
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const [folder = DEFAULT_FOLDER, ...more] = positionals;
if (more.length > 0) {
  console.error(usage);
  process.exit(2);
}
try {
  const index = await packPackages(join(import.meta.dirname, '..'), resolve(folder));
  for (const { name, version, file, bytes } of Object.values(index)) {
    console.log(`${name} ${version}: ${join(folder, file)}, ${(bytes / 1000).toFixed(1)} kB`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
