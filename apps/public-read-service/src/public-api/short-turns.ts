/** How many waiting tasks run before the process looks again at what the database has sent. */
const TASKS_PER_TURN = 4;

/**
 * Keeps turns of the event loop short while something waits for the database. A process that is busy with answers from
 * memory handles all requests that have come in at once, some milliseconds of them, before it sees an answer of the database;
 * a change that needs several of those would be visible late.
 */
export interface ShortTurns {
  /** Runs work that waits for the database. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs a task at once when nothing waits for the database, else in its turn. A task must not throw. */
  run(task: () => void): void;
}

/** Made once for a process. */
export function createShortTurns(): ShortTurns {
  let waiting = 0;
  let tasks: (() => void)[] = [];
  let next = 0;

  function takeTurn(): void {
    for (let left = waiting > 0 ? TASKS_PER_TURN : Infinity; left > 0 && next < tasks.length; left -= 1) {
      const task = tasks[next];
      next += 1;
      task?.();
    }
    if (next < tasks.length) setImmediate(takeTurn);
    else {
      tasks = [];
      next = 0;
    }
  }

  return {
    async during(work) {
      waiting += 1;
      try {
        return await work();
      } finally {
        waiting -= 1;
      }
    },
    run(task) {
      if (waiting === 0 && tasks.length === 0) {
        task();
        return;
      }
      tasks.push(task);
      if (tasks.length === 1) setImmediate(takeTurn);
    },
  };
}
