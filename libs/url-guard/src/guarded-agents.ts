import { Agent as HttpAgent } from 'node:http';
import type { AgentOptions, ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates } from 'node:tls';
import type { AddressPolicy } from './address-policy.ts';
import { AddressRefusedError } from './address-refused-error.ts';
import { judgeAddresses, judgeHost, judgeLiteral } from './judge-host.ts';
import type { LookupAddresses } from './resolve-name.ts';

/** What both agents decide by. */
export interface ConnectRules {
  allowHttp: boolean;
  addresses: AddressPolicy;
  lookup: LookupAddresses;
}

type SocketCallback = (error: Error | null, socket: Duplex) => void;

/** Idle connections are dropped before the 5 s after which many servers close theirs, so that no request is sent into a closing one. */
const IDLE_TIMEOUT_MS = 4_000;

const poolOptions = {
  keepAlive: true,
  maxSockets: 64,
  maxTotalSockets: 1_024,
  maxFreeSockets: 4,
  timeout: IDLE_TIMEOUT_MS,
} satisfies AgentOptions;

/**
 * A `lookup` for `net.connect` that fails unless every address passes. `net` connects to the addresses it is handed and asks
 * no second time, so what was checked is what is connected to; happy eyeballs chooses among checked addresses only.
 */
export function guardLookup(rules: ConnectRules): LookupFunction {
  const resolve = async (hostname: string, family: number): Promise<{ address: string; family: number }[]> => {
    const host = judgeHost(hostname, rules.addresses);
    if (host.kind !== 'name') {
      throw new AddressRefusedError(
        host.kind === 'refused' ? host.detail : 'A literal address was looked up.',
        hostname,
      );
    }
    const found = (await rules.lookup(host.name)).map(({ address }) => ({ address, family: isIP(address) }));
    const verdict = judgeAddresses(
      host,
      found.map(({ address }) => address),
      rules.addresses,
    );
    if (found.length > 0 && !verdict.allowed) throw new AddressRefusedError(verdict.detail, hostname, verdict.address);
    const usable = family === 0 ? found : found.filter((entry) => entry.family === family);
    if (usable.length === 0) {
      throw Object.assign(new Error(`"${host.name}" has no address in the DNS.`), { code: 'ENOTFOUND', hostname });
    }
    return usable;
  };
  return (hostname, options, callback) => {
    const family = options.family === 4 || options.family === 6 ? options.family : 0;
    resolve(hostname, family).then(
      (found) => {
        const [first] = found;
        if (options.all === true) callback(null, found);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error('The name could not be resolved.', { cause: error }), []);
      },
    );
  };
}

/** Checks what can be told before connecting: unix sockets, local names and literal addresses, which `net` would not look up. */
function refusalOf(options: ClientRequestArgs, rules: ConnectRules): AddressRefusedError | undefined {
  const hostname = options.host ?? options.hostname ?? '';
  if (options.socketPath || options.path) return new AddressRefusedError('Unix sockets are not allowed.', hostname);
  const host = judgeHost(hostname, rules.addresses);
  if (host.kind === 'refused') return new AddressRefusedError(host.detail, hostname);
  if (host.kind === 'name') return undefined;
  const verdict = judgeLiteral(host.address, rules.addresses);
  return verdict.allowed ? undefined : new AddressRefusedError(verdict.detail, hostname, host.address);
}

function refuseSoon(error: AddressRefusedError, callback: SocketCallback | undefined): undefined {
  if (callback === undefined) throw error;
  // The agent's callback takes either an error or a socket; its type wants both.
  const fail = callback as (error: Error) => void;
  process.nextTick(() => {
    fail(error);
  });
}

class GuardedHttpAgent extends HttpAgent {
  readonly #rules: ConnectRules;
  readonly #lookup: LookupFunction;

  constructor(rules: ConnectRules) {
    super(poolOptions);
    this.#rules = rules;
    this.#lookup = guardLookup(rules);
  }

  override createConnection(options: ClientRequestArgs, callback?: SocketCallback): Duplex | null | undefined {
    if (!this.#rules.allowHttp) {
      return refuseSoon(new AddressRefusedError('Plain http is not allowed.', options.host ?? ''), callback);
    }
    const refusal = refusalOf(options, this.#rules);
    if (refusal !== undefined) return refuseSoon(refusal, callback);
    return super.createConnection({ ...options, lookup: this.#lookup }, callback);
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  readonly #rules: ConnectRules;
  readonly #lookup: LookupFunction;

  constructor(rules: ConnectRules, certificateAuthorities: readonly string[]) {
    // Agent options win over those of a request: no caller, and no environment variable, can switch the verification off.
    super({
      ...poolOptions,
      rejectUnauthorized: true,
      ...(certificateAuthorities.length > 0 && { ca: [...getCACertificates('default'), ...certificateAuthorities] }),
    });
    this.#rules = rules;
    this.#lookup = guardLookup(rules);
  }

  override createConnection(options: RequestOptions, callback?: SocketCallback): Duplex | null | undefined {
    const refusal = refusalOf(options, this.#rules);
    if (refusal !== undefined) return refuseSoon(refusal, callback);
    return super.createConnection({ ...options, lookup: this.#lookup }, callback);
  }
}

/** The two agents; `destroy` closes their idle connections. */
export interface GuardedAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  destroy: () => void;
}

/**
 * Makes agents that connect to allowed addresses only. Proxy settings of the environment do not reach them: an agent
 * obeys those only when made with `proxyEnv`.
 *
 * @param certificateAuthorities PEM certificates trusted beside the system's.
 */
export function createGuardedAgents(rules: ConnectRules, certificateAuthorities: readonly string[]): GuardedAgents {
  const http = new GuardedHttpAgent(rules);
  const https = new GuardedHttpsAgent(rules, certificateAuthorities);
  return {
    http,
    https,
    destroy: () => {
      http.destroy();
      https.destroy();
    },
  };
}
