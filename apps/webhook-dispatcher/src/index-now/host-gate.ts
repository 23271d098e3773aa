import { createFairQueue } from '@blog-content/service-runtime';

/** Lets a few requests at a time go to one host, whoever they are for. */
export interface HostGate {
  /** Runs a request once fewer than the limit are under way to the host of `url`. */
  run<Result>(url: string, request: () => Promise<Result>): Promise<Result>;
  /** Runs it at once, or not at all: null. */
  runNow<Result>(url: string, request: () => Promise<Result>): Promise<Result> | null;
}

/** @param limit most requests to one host at once in this process. Those that wait go in the order in which they came. */
export function createHostGate(limit: number): HostGate {
  const queue = createFairQueue({ slots: Infinity, slotsEach: limit, waiting: Infinity, waitingEach: Infinity });
  const through = async <Result>(leave: () => void, request: () => Promise<Result>): Promise<Result> => {
    try {
      return await request();
    } finally {
      leave();
    }
  };
  return {
    run: async (url, request) => through(await queue.enter(hostOf(url)), request),
    runNow(url, request) {
      const leave = queue.enterNow(hostOf(url));
      return leave && through(leave, request);
    },
  };
}

/** A port, or a dot at the end, makes no other host. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
