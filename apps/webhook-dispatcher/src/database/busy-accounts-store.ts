import type { TenantSlots } from '../concurrency/slots.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** The table `(account_id, running, free)`: what accounts have running, and the slots that are left to them. */
export const busyAccounts = (accounts: ReadonlyMap<string, TenantSlots>): Prisma.Sql => Prisma.sql`
  SELECT * FROM unnest(${[...accounts.keys()]}::uuid[],
    ${[...accounts.values()].map(({ running }) => running)}::integer[],
    ${[...accounts.values()].map(({ free }) => free)}::integer[]) AS busy (account_id, running, free)`;
