import { Agent as HttpAgent } from 'node:http';
import type { ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates } from 'node:tls';
import type { AddressPolicy } from './address-policy.ts';
import { AddressRefusedError } from './address-refused-error.ts';
import { type ConnectionKeeper, keepConnections } from './kept-connections.ts';
import { judgeAddresses, judgeHost, judgeLiteral } from './judge-host.ts';
import type { LookupAddresses } from './resolve-name.ts';

/** What both agents decide by. */
export interface ConnectRules {
  allowHttp: boolean;
  addresses: AddressPolicy;
  lookup: LookupAddresses;
}

type SocketCallback = (error: Error | null, socket: Duplex) => void;

/** No more of a name's addresses are tried: its owner must not have this service knock at hundreds of other people's doors. */
const MAX_ADDRESSES_PER_FAMILY = 8;

const notFound = (hostname: string): Error =>
  Object.assign(new Error(`"${hostname}" has no address in the DNS.`), { code: 'ENOTFOUND', hostname });

/**
 * A name's addresses.
 *
 * @throws AddressRefusedError unless every one of them is allowed.
 */
async function resolveAllowed(hostname: string, rules: ConnectRules): Promise<{ address: string; family: number }[]> {
  const host = judgeHost(hostname, rules.addresses);
  if (host.kind !== 'name') {
    throw new AddressRefusedError(host.kind === 'refused' ? host.detail : 'A literal address was looked up.', hostname);
  }
  const found = (await rules.lookup(host.name)).map(({ address }) => ({ address, family: isIP(address) }));
  const verdict = judgeAddresses(
    host,
    found.map(({ address }) => address),
    rules.addresses,
  );
  if (found.length > 0 && !verdict.allowed) throw new AddressRefusedError(verdict.detail, hostname, verdict.address);
  if (found.length === 0) throw notFound(host.name);
  return found;
}

/** Looks names up and judges them; calls for one name share the look-up that is under way. */
function createAdmission(rules: ConnectRules): (hostname: string) => Promise<void> | undefined {
  const underWay = new Map<string, Promise<void>>();
  return (hostname) => {
    if (judgeHost(hostname, rules.addresses).kind !== 'name') return undefined;
    const known = underWay.get(hostname);
    if (known !== undefined) return known;
    const admitted = resolveAllowed(hostname, rules)
      .then(() => undefined)
      .finally(() => underWay.delete(hostname));
    underWay.set(hostname, admitted);
    return admitted;
  };
}

/**
 * A `lookup` for `net.connect` that fails unless every address passes. `net` connects to the addresses it is handed and asks
 * no second time, so what was checked is what is connected to; happy eyeballs chooses among checked addresses only.
 */
export function guardLookup(rules: ConnectRules): LookupFunction {
  const resolve = async (hostname: string, family: number): Promise<{ address: string; family: number }[]> => {
    const found = await resolveAllowed(hostname, rules);
    const usable = [4, 6]
      .filter((wanted) => family === 0 || family === wanted)
      .flatMap((wanted) => found.filter((entry) => entry.family === wanted).slice(0, MAX_ADDRESSES_PER_FAMILY));
    if (usable.length === 0) throw notFound(hostname);
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
    super();
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

/** The ways to a receiver; `destroy` closes the connections that are kept. */
export interface GuardedAgents {
  /**
   * To be called before an exchange that may go out on a connection that is kept: such an exchange looks nothing up, and its name may
   * have moved. Rejects as a connection would be refused; undefined where no name is to be looked up.
   */
  admit: (hostname: string) => Promise<void> | undefined;
  /** Connections that are kept. */
  readonly kept: { readonly http: ConnectionKeeper; readonly https: ConnectionKeeper };
  /** For `node:http`: agents that open a connection for each request. */
  readonly oneConnectionEach: { readonly http: HttpAgent; readonly https: HttpsAgent };
  destroy: () => void;
}

/**
 * Makes agents that connect to allowed addresses only. Proxy settings of the environment do not reach them: an agent
 * obeys those only when made with `proxyEnv`.
 *
 * @param certificateAuthorities PEM certificates trusted beside the system's.
 */
export function createGuardedAgents(rules: ConnectRules, certificateAuthorities: readonly string[]): GuardedAgents {
  const oneConnectionEach = {
    http: new GuardedHttpAgent(rules),
    https: new GuardedHttpsAgent(rules, certificateAuthorities),
  };
  const http = keepConnections((options, opened) => oneConnectionEach.http.createConnection(options, opened));
  const https = keepConnections((options, opened) =>
    // As the agent itself would: what it was made with goes with each connection.
    oneConnectionEach.https.createConnection({ ...oneConnectionEach.https.options, ...options }, opened),
  );
  return {
    kept: { http, https },
    oneConnectionEach,
    admit: createAdmission(rules),
    destroy: () => {
      http.destroy();
      https.destroy();
    },
  };
}
