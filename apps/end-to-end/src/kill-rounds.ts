import type { ServiceProcess } from '@blog-content/local-services';
import { eventually } from '@blog-content/testing';
import { holdCommits, lockTable, queryOnce, type TableLock } from './database-lock.ts';
import type { PacedAnswers } from './paced-answers.ts';
import type { SeenRequest, WatchedReceiver } from './watched-receiver.ts';

/** What the rounds need; requests are answered by `answers` before and after each of them. */
export interface KillRoundsOptions {
  /** The dispatchers' database. */
  readonly databaseUrl: string;
  /** All replicas, running. */
  readonly dispatchers: readonly ServiceProcess[];
  readonly receiver: WatchedReceiver;
  readonly answers: PacedAnswers;
  /** Stops the server in order and starts it again at the same port. */
  readonly restartDatabase: () => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/**
 * Ways of killing dispatchers with SIGKILL at a certain point of their work. Each expects that deliveries are due, that
 * dispatchers have as many under way as they may, and that receivers hold their answers back. It resolves to how many
 * times the point was met, and leaves every dispatcher started.
 */
export interface KillRounds {
  /**
   * Kills twice: while claims wait for their table, so that no attempt is recorded; then after the claims of new
   * dispatchers are committed, before anything is sent.
   */
  readonly whileClaiming: () => Promise<{ readonly unrecorded: number; readonly unsent: number }>;
  /** The receivers read the beginning of long bodies and no more. Lets all other requests be answered. */
  readonly midBody: () => Promise<number>;
  /** The receivers have answered, and what came of it is not recorded. */
  readonly afterTheAnswer: () => Promise<number>;
  /** Third attempts are not answered. Lets all other requests be answered, and does not hold answers back again. */
  readonly duringTheThirdAttempt: () => Promise<number>;
  /** One dispatcher at a random moment, beside another that goes on. */
  readonly besideAnother: () => Promise<number>;
  /** Kills none: the database they work on is restarted. */
  readonly restartDatabase: () => Promise<number>;
  /** Waits until every dispatcher is ready again. */
  readonly allStarted: () => Promise<void>;
  /** How many dispatchers were killed. */
  readonly kills: () => number;
}

/**
 * What only the statement of a claim, and only that which records ends, contains. A lease is also written by a process
 * that takes over.
 */
const CLAIM = 'due_at_receiver (integration_id) AS';
const END = 'INSERT INTO receiver_blog';

/** How many must have been answered, or be in their third attempt, for a kill to be worth it. */
const ENOUGH = 5;
const PATIENCE = { timeoutMs: 120_000, intervalMs: 50 };

/** Starts nothing by itself. */
export function createKillRounds(options: KillRoundsOptions): KillRounds {
  const { databaseUrl, dispatchers, receiver, answers, random } = options;
  const starting: Promise<void>[] = [];
  let kills = 0;

  const kill = async (victims: readonly ServiceProcess[]) => {
    kills += victims.length;
    await Promise.all(victims.map((victim) => victim.kill('SIGKILL')));
  };
  const start = (victims: readonly ServiceProcess[]) => {
    for (const victim of victims) starting.push(victim.start());
  };
  const inFlight = async (): Promise<Set<string>> => {
    const sql = `SELECT id::text FROM delivery WHERE status = 'in_flight'`;
    return new Set((await queryOnce<{ id: string }>(databaseUrl, sql)).map(({ id }) => id));
  };
  const inFlightBut = async (before: ReadonlySet<string>) => [...(await inFlight())].filter((id) => !before.has(id));
  const untilAllClaim = (lock: TableLock) =>
    eventually(async () => (await lock.countWaiting(CLAIM)) === dispatchers.length, PATIENCE);

  return {
    async whileClaiming() {
      await kill(dispatchers);
      const lock = await lockTable(databaseUrl, 'delivery');
      const before = await inFlight();
      // First claims of new dispatchers wait for the table.
      start(dispatchers);
      await untilAllClaim(lock);
      await kill(dispatchers);
      await lock.endWaiting();
      const unrecorded = (await inFlightBut(before)).length === 0 ? dispatchers.length : 0;

      start(dispatchers);
      await untilAllClaim(lock);
      const from = receiver.seen.length;
      const claims = await lock.pidsWaiting(CLAIM);
      const commits = await holdCommits(databaseUrl);
      await lock.release();
      await eventually(async () => (await commits.among(claims)).length > 0, PATIENCE);
      for (const { pid } of dispatchers) if (pid !== undefined) process.kill(pid, 'SIGSTOP');
      await commits.release();
      const unsent = await eventually(async () => {
        const claimed = await inFlightBut(before);
        if (claimed.length === 0) throw new Error('No claim has been carried out yet.');
        return claimed;
      }, PATIENCE);
      await kill(dispatchers);
      const sent = new Set(receiver.seen.slice(from).map(({ deliveryId }) => deliveryId));
      start(dispatchers);
      return { unrecorded, unsent: unsent.filter((id) => !sent.has(id)).length };
    },

    async midBody() {
      receiver.readHalf(true);
      answers.let(Infinity);
      const halfRead = () => receiver.seen.filter(({ isHalfRead }) => isHalfRead).length;
      await eventually(() => halfRead() > 0, PATIENCE);
      await kill(dispatchers);
      receiver.readHalf(false);
      answers.hold();
      start(dispatchers);
      return halfRead();
    },

    async afterTheAnswer() {
      const lock = await lockTable(databaseUrl, 'delivery');
      const earlier = new Set(receiver.seen.filter(({ answered }) => answered !== undefined));
      const answered = () => receiver.seen.filter((request) => request.answered !== undefined && !earlier.has(request));
      answers.let(answers.waiting());
      await eventually(async () => answered().length >= ENOUGH && (await lock.countWaiting(END)) > 0, PATIENCE);
      await kill(dispatchers);
      await lock.endWaiting();
      await lock.release();
      const unrecorded = await inFlight();
      start(dispatchers);
      return answered().filter(({ deliveryId }) => unrecorded.has(deliveryId)).length;
    },

    async duringTheThirdAttempt() {
      const third: SeenRequest[] = [];
      receiver.respondWith((request, body) => {
        if (body.publish_attempt !== 3) return answers.respond(request, body);
        third.push(request);
        return new Promise(() => undefined);
      });
      answers.let(Infinity);
      await eventually(() => third.length >= ENOUGH, PATIENCE);
      // All of them: one that lived would wait for an answer until its time is over.
      await kill(dispatchers);
      receiver.respondWith(answers.respond);
      start(dispatchers);
      return third.length;
    },

    async besideAnother() {
      const from = receiver.seen.length;
      const count = Math.ceil(random() * 80);
      answers.let(count);
      await eventually(() => receiver.seen.length >= from + count / 2, PATIENCE);
      const victims = dispatchers.slice(Math.floor(random() * dispatchers.length)).slice(0, 1);
      await kill(victims);
      start(victims);
      return victims.length;
    },

    async restartDatabase() {
      answers.let(100);
      await options.restartDatabase();
      return 1;
    },

    async allStarted() {
      await Promise.all(starting.splice(0));
    },
    kills: () => kills,
  };
}
