import { sha256Hex } from '@blog-content/credentials';
import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../../platform/database/open-database.ts';
import { networkOf } from './network-of.ts';

/** One attempt to guess a password, counted as a failure until it is known to be none. */
export interface Attempt {
  /** The password was right: the waits of this email and address end. */
  succeeded(): Promise<void>;
  /** The check failed to run: the attempt does not count. */
  withdrawn(): Promise<void>;
}

/**
 * Slows down guessing, for all replicas together. An email and address have five failures free within half an hour;
 * each further attempt waits twice as long as the one before, from 15 s to 15 min, so that nobody is locked out for
 * long. Over all addresses an email has 100 failures a day, then waits an hour. An address has 100 failures an hour,
 * for all emails together. An email that was signed in from an address within 30 days is exempt from both there, so
 * that neither strangers elsewhere nor those who share the address can lock a person out.
 */
export interface Throttle {
  /**
   * Counts an attempt before its password is checked, so that guesses made at the same time count too. One that may
   * not be made costs a single statement, which locks nothing.
   *
   * @param email in lower case.
   * @returns how long to wait instead, in milliseconds, when it may not be made now.
   */
  begin(email: string, address: string): Promise<Attempt | { readonly waitMs: number }>;
}

const FREE_FAILURES = 5;
const MAX_FAILURES = 100;
const MIN_WAIT_S = 15;
const MAX_WAIT_S = 15 * 60;
const HALF_HOUR_S = 30 * 60;
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** Counts in the table of `RateLimiterFlexible`. Without the table every attempt rejects: nobody gets in uncounted. */
export function createThrottle(database: Database, clock: () => Date): Throttle {
  const limiter = (keyPrefix: string, points: number, duration: number, blockDuration = 0) =>
    new RateLimiterPrisma({
      storeClient: database,
      tableName: 'rateLimiterFlexible',
      clearExpiredByTimeout: false,
      ...{ keyPrefix, points, duration, blockDuration },
    });
  const failures = limiter('sign-in-failures', FREE_FAILURES, HALF_HOUR_S);
  const pauses = limiter('sign-in-turn', 1, MAX_WAIT_S);
  const ofAddress = limiter('sign-in-address', MAX_FAILURES, HOUR_S);
  const ofEmail = limiter('sign-in-email', MAX_FAILURES, DAY_S, HOUR_S);
  const known = limiter('sign-in-known', 1, 30 * DAY_S);
  /** What is counted now under these keys, and for how long. */
  const read = async (keys: string[]) => {
    const now = clock();
    const rows = await database.rateLimiterFlexible.findMany({ where: { key: { in: keys }, expire: { gt: now } } });
    return new Map(rows.map(({ key, points, expire }) => [key, { points, leftMs: Number(expire) - now.getTime() }]));
  };

  return {
    async begin(email, address) {
      const network = networkOf(address);
      // Digests, so that keys have one length and the table does not reveal which emails were tried.
      const pairKey = sha256Hex(`${email} ${network}`);
      const addressKey = sha256Hex(network);
      const emailKey = sha256Hex(email);
      const standing = await read([
        ofAddress.getKey(addressKey),
        ofEmail.getKey(emailKey),
        ...[known, failures, pauses].map((by) => by.getKey(pairKey)),
      ]);
      const pointsOf = (by: RateLimiterPrisma, key: string) => standing.get(by.getKey(key))?.points ?? 0;
      /** How long what is counted stays at so many points or more, in milliseconds. */
      const waitWhile = (by: RateLimiterPrisma, key: string, points: number) =>
        pointsOf(by, key) >= points ? (standing.get(by.getKey(key))?.leftMs ?? 0) : 0;
      const isKnown = pointsOf(known, pairKey) > 0;
      const isSlowed = pointsOf(failures, pairKey) >= FREE_FAILURES;
      const waitMs =
        (!isKnown && waitWhile(ofAddress, addressKey, MAX_FAILURES)) ||
        // The attempt that goes beyond begins the hour.
        (!isKnown && waitWhile(ofEmail, emailKey, MAX_FAILURES + 1)) ||
        (isSlowed && waitWhile(pauses, pairKey, 1));
      if (waitMs) return { waitMs };

      const counted: string[] = [];
      // Not by the limiter's `reward`, which goes below zero and into periods that have expired.
      const takeBack = async () => {
        for (const key of counted) {
          await database.$executeRaw`
            UPDATE rate_limit SET points = points - 1
            WHERE key = ${key} AND points > 0 AND (expire IS NULL OR expire > ${clock()})`;
        }
      };
      const count = async (by: RateLimiterPrisma, key: string, customDuration?: number): Promise<number> => {
        const waitMs = await waitAfter(by.consume(key, 1, customDuration === undefined ? {} : { customDuration }));
        if (waitMs === 0) counted.push(by.getKey(key));
        return waitMs;
      };
      const failAgain = async (): Promise<number> => {
        const { consumedPoints } = await failures.penalty(pairKey, 1);
        counted.push(failures.getKey(pairKey));
        if (consumedPoints <= FREE_FAILURES) return 0;
        const waitS = Math.min(MIN_WAIT_S * 2 ** (consumedPoints - FREE_FAILURES - 1), MAX_WAIT_S);
        return count(pauses, pairKey, waitS);
      };

      // Counting decides: attempts of the same time may have used it up. The address first: a refused one adds no rows
      // for the emails that it tries.
      const ofEverybody = [() => count(ofAddress, addressKey), () => count(ofEmail, emailKey)];
      for (const step of [...(isKnown ? [] : ofEverybody), failAgain]) {
        const waitMs = await step();
        if (waitMs === 0) continue;
        await takeBack();
        return { waitMs };
      }

      return {
        async succeeded() {
          await takeBack();
          await failures.delete(pairKey);
          await pauses.delete(pairKey);
          await known.set(pairKey, 1, 30 * DAY_S);
        },
        withdrawn: takeBack,
      };
    },
  };
}

/** 0 when the point was given, else the milliseconds until there is one again. */
async function waitAfter(consumed: Promise<unknown>): Promise<number> {
  try {
    await consumed;
    return 0;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(refused.msBeforeNext, 1);
    throw refused;
  }
}
