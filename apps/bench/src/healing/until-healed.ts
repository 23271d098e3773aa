import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const LEFT = [
  'delivery_queue',
  'link_change',
  'link_target_change',
  'link_translation_change',
  'link_recheck',
  'link_healing',
]
  .map((table) => `(SELECT count(*) FROM ${table})`)
  .join(' + ');
/** A recent publish is on its way, and is in no table of the dispatcher's yet. */
const LOOKS = 10;

/** Resolves, with the time, when for two seconds nothing was left to be sent, or to be compared or marked for it. */
export async function untilHealed(database: pg.Client, timeoutMs: number): Promise<number> {
  const deadline = performance.now() + timeoutMs;
  for (let calm = 0, calmSince = 0; ; await pause(200)) {
    const { rows } = await database.query<{ left: string }>(`SELECT ${LEFT} AS left`);
    const left = Number(rows[0]?.left);
    calm = left === 0 ? calm + 1 : 0;
    if (calm === 1) calmSince = performance.now();
    if (calm === LOOKS) return calmSince;
    if (performance.now() > deadline) throw new Error(`${left} are left after ${timeoutMs} ms`);
  }
}
