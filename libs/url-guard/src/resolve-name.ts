import { lookup } from 'node:dns/promises';

/** Resolves a name to all its addresses, in the order the resolver gave; rejects, or gives an empty list, when there is none. */
export type LookupAddresses = (name: string) => Promise<readonly { address: string }[]>;

/** The system's resolver (hosts file and DNS), every address of both families. */
export const systemLookup: LookupAddresses = (name) => lookup(name, { all: true, order: 'verbatim' });
