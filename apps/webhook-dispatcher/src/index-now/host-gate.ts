/** Lets a few requests at a time go to one host, whoever they are for. */
export interface HostGate {
  /** Runs a request once fewer than the limit are under way to the host of `url`. */
  run<Result>(url: string, request: () => Promise<Result>): Promise<Result>;
  /** Runs it at once, or not at all: null. */
  runNow<Result>(url: string, request: () => Promise<Result>): Promise<Result> | null;
}

/** @param limit most requests to one host at once in this process. Those that wait go in the order in which they came. */
export function createHostGate(limit: number): HostGate {
  const hosts = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>();

  const enter = async <Result>(hostname: string, request: () => Promise<Result>): Promise<Result> => {
    const host = hosts.get(hostname) ?? { underWay: 0, waiting: [] };
    hosts.set(hostname, host);
    if (host.underWay < limit) host.underWay += 1;
    // Whoever leaves hands its place on.
    else await new Promise<void>((resolve) => host.waiting.push(resolve));
    try {
      return await request();
    } finally {
      const next = host.waiting.shift();
      if (next === undefined) host.underWay -= 1;
      else next();
      if (host.underWay === 0) hosts.delete(hostname);
    }
  };

  return {
    run: (url, request) => enter(hostOf(url), request),
    runNow(url, request) {
      const hostname = hostOf(url);
      return (hosts.get(hostname)?.underWay ?? 0) < limit ? enter(hostname, request) : null;
    },
  };
}

/** A port, or a dot at the end, makes no other host. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
