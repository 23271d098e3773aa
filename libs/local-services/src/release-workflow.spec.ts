import { serviceNames } from '@blog-content/payload-schemas';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly 'timeout-minutes': number;
  readonly strategy?: { readonly matrix: { readonly image: readonly string[] } };
  readonly steps: readonly Step[];
}

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const workflow = parse(text) as {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
};
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const stepOf = (name: string) => {
  const step = steps.find((one) => one.name === name);
  if (step?.run === undefined) throw new Error(`There is no step “${name}” that runs something.`);
  return step.run;
};

/** Runs a step as the workflow does, in a folder with the files that it reads. */
function runStep(name: string, env: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'blog-content-release-'));
  try {
    for (const file of ['package.json', 'CHANGELOG.md']) cpSync(join(root, file), join(folder, file));
    const GITHUB_OUTPUT = join(folder, 'output');
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', stepOf(name)],
      { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'], GITHUB_OUTPUT, ...env } },
    );
    const written = (file: string) => spawnSync('cat', [join(folder, file)], { encoding: 'utf8' }).stdout;
    return { status, printed: stdout + stderr, output: written('output'), notes: written('notes.md') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the release workflow', () => {
  it('runs for tags of versions alone', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
  });

  it('passes CI before it pushes an image, and has all images before there is a release', () => {
    const { ci, images, release } = workflow.jobs;
    expect(ci?.steps.map(({ run }) => run)).toContain('.ci/run');
    expect(images?.needs).toEqual(['check', 'ci']);
    expect(release?.needs).toEqual(['check', 'images']);
  });

  it('pins every action to a commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const uses of used) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('gives no job more rights than it needs, and none without end', () => {
    expect(workflow.permissions).toEqual({});
    const rights = Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions]);
    expect(Object.fromEntries(rights)).toEqual({
      check: { contents: 'read' },
      ci: { contents: 'read' },
      images: { contents: 'read', packages: 'write', 'id-token': 'write' },
      release: { contents: 'write' },
    });
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  it('puts nothing of GitHub’s context into a script, where it would be run', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  it('builds an image of every service and of the dashboard, with SBOM and provenance, for two architectures', () => {
    expect(workflow.jobs['images']?.strategy?.matrix.image.toSorted()).toEqual(
      [...serviceNames, 'dashboard'].toSorted(),
    );
    const build = stepOf('Build and push');
    for (const option of ['--platform linux/amd64,linux/arm64', '--sbom=true', '--provenance=mode=max', '--push'])
      expect(build).toContain(option);
  });

  it('pins the base of every stage, and what reads the Dockerfile', () => {
    const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
    const stages = new Set([...dockerfile.matchAll(/ AS ([\w-]+)$/gm)].map(([, stage]) => stage));
    for (const [, base = ''] of dockerfile.matchAll(/^FROM (\S+)/gm))
      if (!stages.has(base)) expect(base).toBe('${BASE}');
    expect(dockerfile).toMatch(/^ARG BASE=\S+$/m);
    const build = stepOf('Build and push');
    expect(build).toContain('--build-arg "BASE=$BASE_IMAGE"');
    expect(build).toContain('--build-arg "BUILDKIT_SYNTAX=$DOCKERFILE_SYNTAX"');
  });

  it('signs the digest that was pushed', () => {
    expect(stepOf('Sign')).toBe('cosign sign --yes --recursive "$NAME@$DIGEST"');
  });

  it('accepts the tag of the version that package.json and CHANGELOG.md have', () => {
    expect(runStep('Check the version', { TAG: `v${version}` })).toMatchObject({
      status: 0,
      output: `version=${version}\n`,
    });
  });

  it('refuses the tag of another version', () => {
    const { status, printed } = runStep('Check the version', { TAG: 'v0.9.0' });
    expect(status).toBe(1);
    expect(printed).toBe(`The tag is v0.9.0, but package.json has ${version}.\n`);
  });

  const DIGEST = `@sha256:${'0'.repeat(64)}`;
  it.each([
    ['accepts base images with digests', `node:24${DIGEST}`, `docker/dockerfile:1${DIGEST}`, 0],
    ['refuses a base image without one', 'node:24', `docker/dockerfile:1${DIGEST}`, 1],
    ['refuses a missing variable', `node:24${DIGEST}`, '', 1],
  ])('%s', (_title, BASE_IMAGE, DOCKERFILE_SYNTAX, status) => {
    const result = runStep('Check that the base images have digests', { BASE_IMAGE, DOCKERFILE_SYNTAX });
    expect(result.status).toBe(status);
    if (status === 1) expect(result.printed).toContain('must end with @sha256:');
  });

  it('has the section of CHANGELOG.md as its notes', () => {
    const { status, notes } = runStep('Write the notes', { VERSION: version });
    expect(status).toBe(0);
    expect(notes).toContain('**Upgrade notes**');
    expect(notes).not.toMatch(/^## /m);
    expect(runStep('Write the notes', { VERSION: '0.9.0' }).status).toBe(1);
  });
});
