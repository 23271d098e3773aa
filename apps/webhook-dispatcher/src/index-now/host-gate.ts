import { createFairQueue } from '@blog-content/concurrency';

/** Lets a few requests at a time go to one host, whoever they are for. */
export interface HostGate {
  /** Runs a request once fewer than the limit are under way to the host of `url`. */
  run<Result>(url: string, request: () => Promise<Result>): Promise<Result>;
  /** Runs it at once, or not at all: null. */
  runNow<Result>(url: string, request: () => Promise<Result>): Promise<Result> | null;
}

/**
 * @param limit most requests to one host at once in this process. Those that wait go in the order in which they came.
 */
export function createHostGate(limit: number): HostGate {
  const queue = createFairQueue({ slotsEach: limit });
  return {
    run: (url, request) => queue.run(hostOf(url), request),
    runNow: (url, request) => queue.runNow(hostOf(url), request),
  };
}

/** A port, or a dot at the end, makes no other host. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
