import { Agent as HttpAgent } from 'node:http';
import type { AgentOptions as HttpAgentOptions, ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { performance } from 'node:perf_hooks';
import type { AddressPolicy } from './addresses/address-policy.ts';
import { AddressRefusedError } from './address-refused-error.ts';
import { judgeAddresses, judgeHost, judgeLiteral } from './addresses/judge-host.ts';
import type { LookupAddresses } from './resolve-name.ts';

/** What both agents decide by. */
export interface ConnectRules {
  allowHttp: boolean;
  addresses: AddressPolicy;
  lookup: LookupAddresses;
}

type SocketCallback = (error: Error | null, socket: Duplex) => void;

/**
 * No more of a name's addresses are tried: its owner must not have this service knock at hundreds of other people's
 * doors.
 */
const MAX_ADDRESSES_PER_FAMILY = 8;

const notFound = (hostname: string): Error =>
  Object.assign(new Error(`"${hostname}" has no DNS address record.`), { code: 'ENOTFOUND', hostname });

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
 * A `lookup` for `net.connect` that fails unless every address passes. `net` connects to the addresses it is handed and
 * asks no second time, so what was checked is what is connected to; happy eyeballs chooses among checked addresses
 * only.
 */
function guardLookup(rules: ConnectRules): LookupFunction {
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

/**
 * Checks what can be told before connecting: unix sockets, local names and literal addresses, which `net` would not
 * look up.
 */
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

/** Idle connections are closed after this: a request is not to be sent into one that its server is about to close. */
const IDLE_TIMEOUT_MS = 1_000;
/** A connection is used no longer than this, so that requests follow a name that has moved. */
const MAX_CONNECTION_AGE_MS = 30_000;
/** No more idle connections are kept by one agent. Those in use are as many as there are requests under way. */
const MAX_IDLE = 256;

/** Options of an agent that keeps connections for the next request to the same receiver. */
const KEEP_ALIVE = { keepAlive: true, timeout: IDLE_TIMEOUT_MS } as const;

/** Says which connections of one agent may be kept for another request. */
class ConnectionAges {
  readonly #openedAtMs = new WeakMap<Duplex, number>();

  opened<Opened extends Duplex | null | undefined>(socket: Opened): Opened {
    if (socket) this.#openedAtMs.set(socket, performance.now());
    return socket;
  }

  mayBeKept(socket: Duplex, idle: NodeJS.ReadOnlyDict<Socket[]>): boolean {
    const ageMs = performance.now() - (this.#openedAtMs.get(socket) ?? 0);
    const idleCount = Object.values(idle).reduce((count, sockets = []) => count + sockets.length, 0);
    return ageMs <= MAX_CONNECTION_AGE_MS && idleCount < MAX_IDLE;
  }
}

class GuardedHttpAgent extends HttpAgent {
  readonly #rules: ConnectRules;
  readonly #lookup: LookupFunction;
  readonly #ages = new ConnectionAges();

  constructor(rules: ConnectRules, options: HttpAgentOptions = {}) {
    super(options);
    this.#rules = rules;
    this.#lookup = guardLookup(rules);
  }

  override createConnection(options: ClientRequestArgs, callback?: SocketCallback): Duplex | null | undefined {
    if (!this.#rules.allowHttp) {
      return refuseSoon(new AddressRefusedError('Plain http is not allowed.', options.host ?? ''), callback);
    }
    const refusal = refusalOf(options, this.#rules);
    if (refusal !== undefined) return refuseSoon(refusal, callback);
    return this.#ages.opened(super.createConnection({ ...options, lookup: this.#lookup }, callback));
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Its type says void; what it returns is whether the server's `Keep-Alive` lets the connection be kept.
    return this.#ages.mayBeKept(socket, this.freeSockets) && (super.keepSocketAlive(socket) as unknown) === true;
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  readonly #rules: ConnectRules;
  readonly #lookup: LookupFunction;
  readonly #ages = new ConnectionAges();

  constructor(rules: ConnectRules, certificateAuthorities: readonly string[], options: HttpAgentOptions = {}) {
    // Agent options win over those of a request: no caller, and no environment variable, can switch the verification
    // off.
    super({
      ...options,
      rejectUnauthorized: true,
      ...(certificateAuthorities.length > 0 && { ca: [...getCACertificates('default'), ...certificateAuthorities] }),
    });
    this.#rules = rules;
    this.#lookup = guardLookup(rules);
  }

  override createConnection(options: RequestOptions, callback?: SocketCallback): Duplex | null | undefined {
    const refusal = refusalOf(options, this.#rules);
    if (refusal !== undefined) return refuseSoon(refusal, callback);
    return this.#ages.opened(super.createConnection({ ...options, lookup: this.#lookup }, callback));
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Its type says void; what it returns is whether the server's `Keep-Alive` lets the connection be kept.
    return this.#ages.mayBeKept(socket, this.freeSockets) && (super.keepSocketAlive(socket) as unknown) === true;
  }
}

/** One agent for each protocol. */
export interface AgentPair {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** The ways to a receiver, for `node:http` and `node:https`. TLS sessions are resumed on all of them. */
export interface GuardedAgents {
  /** Opens a connection for each request. */
  readonly fresh: AgentPair;
  /** Keeps connections for the next request to the same host and port: call {@link GuardedAgents.admit} first. */
  readonly keepAlive: AgentPair;
  /**
   * Looks a name up and judges its addresses once more, for a request that may go out on a connection that is kept: its
   * name may have moved. Rejects as a connection would be refused; undefined where no name is to be looked up.
   */
  readonly admit: (hostname: string) => Promise<void> | undefined;
  /** Closes the connections that are kept. */
  readonly destroy: () => void;
}

/**
 * Makes agents that connect to allowed addresses only. Proxy settings of the environment do not reach them: an agent
 * obeys those only when made with `proxyEnv`.
 *
 * @param certificateAuthorities PEM certificates trusted beside the system's.
 */
export function createGuardedAgents(rules: ConnectRules, certificateAuthorities: readonly string[]): GuardedAgents {
  const createPair = (options?: HttpAgentOptions): AgentPair => ({
    http: new GuardedHttpAgent(rules, options),
    https: new GuardedHttpsAgent(rules, certificateAuthorities, options),
  });
  const [fresh, keepAlive] = [createPair(), createPair(KEEP_ALIVE)];
  return {
    fresh,
    keepAlive,
    admit: createAdmission(rules),
    destroy: () => {
      keepAlive.http.destroy();
      keepAlive.https.destroy();
    },
  };
}
