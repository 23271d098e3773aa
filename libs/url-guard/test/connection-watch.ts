import { createHook } from 'node:async_hooks';

/** Counts the connections that this process opens, to any address, whether anything listens there or not. */
export interface ConnectionWatch {
  /** TCP connections and unix sockets that were begun since the last call. */
  taken(): number;
  stop(): void;
}

/** Node makes one of these for every `connect` that it hands to the operating system. */
const CONNECTING = new Set(['TCPCONNECTWRAP', 'PIPECONNECTWRAP']);

/** Starts counting; the process's own connections for other purposes count too. */
export function watchConnections(): ConnectionWatch {
  let begun = 0;
  const hook = createHook({
    init(_id, type) {
      if (CONNECTING.has(type)) begun += 1;
    },
  }).enable();
  return {
    taken() {
      const since = begun;
      begun = 0;
      return since;
    },
    stop: () => void hook.disable(),
  };
}
