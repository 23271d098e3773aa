import { provideTools, TOOLS, type Tool } from '@blog-content/local-infrastructure';
import { sourcesOf, usesServers } from './spec-files.ts';

/** What the tests of a run need of the machine. */
export interface Needs {
  /** The spec files that use the servers of the run, an S3 server, and Helm with Kustomize. */
  readonly servers: readonly string[];
  readonly s3: readonly string[];
  readonly charts: readonly string[];
  /** By the id of the tool: the spec files that use it. */
  readonly tools: ReadonlyMap<keyof typeof TOOLS, readonly string[]>;
}

/** Reads it from the sources of the tests. */
export function needsOf(root: string, specs: readonly string[]): Needs {
  const cache = new Map<string, string>();
  const sources = new Map(specs.map((spec) => [spec, sourcesOf(root, spec, cache)]));
  const using = (pattern: RegExp) => specs.filter((spec) => pattern.test(sources.get(spec) ?? ''));
  return {
    servers: specs.filter((spec) => usesServers(sources.get(spec) ?? '')),
    s3: using(/\bs3Availability\b/),
    charts: using(/\bhasGoProgram\b/),
    tools: new Map(
      (Object.keys(TOOLS) as (keyof typeof TOOLS)[])
        .map((id) => [id, using(TOOLS[id].usedBy)] as const)
        .filter(([, users]) => users.length > 0),
    ),
  };
}

/** What tests cannot run here. */
export interface LeftOut {
  /** Ids of the missing tools, as a key for caches. */
  readonly without: readonly string[];
  /** Spec files that are left out, and why. */
  readonly files: ReadonlyMap<string, string>;
  /** Of a spec file whose tests leave themselves out: which missing tools it uses. */
  reasonOf(file: string): string;
  /** How to get what is missing, in one line; null when nothing is. */
  readonly advice: string | null;
}

/** Looks for the tools, installs what can be installed, and says what tests are left out for want of the others. */
export async function provideFor(
  { tools }: Needs,
  { mayInstall, say }: { mayInstall: boolean; say: (line: string) => void },
): Promise<LeftOut> {
  const wanted = [...tools.keys()].map((id): Tool => TOOLS[id]);
  const result = await provideTools(wanted, { mayInstall, say });
  const missing = [...tools].filter(([id]) => result?.missing.includes(TOOLS[id]));
  const reasonOf = (file: string) =>
    missing.flatMap(([id, users]) => (users.includes(file) ? [TOOLS[id].name] : [])).join(', ');
  const files = missing.flatMap(([id, users]) => (TOOLS[id].skipsFiles ? users : []));
  return {
    without: missing.map(([id]) => id),
    files: new Map(files.map((file) => [file, reasonOf(file)])),
    reasonOf,
    advice: result?.advice ?? null,
  };
}
