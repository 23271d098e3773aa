const isUnbuilt = import.meta.url.endsWith('.ts');

/** How the file of a module ends that a thread, or a process, is to run. */
export const moduleEnding = isUnbuilt ? '.ts' : '.js';

/** What either is started with: the sources run unbuilt, and neither inherits how. */
export function unbuiltArgs(): { readonly execArgv?: string[] } {
  return isUnbuilt ? { execArgv: ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'] } : {};
}
