export { backoffMs, pause, type Backoff } from './backoff.ts';
export { createChunkTurns, type ChunkTurn } from './create-chunk-turns.ts';
export { createBatcher, type Batcher, type BatcherOptions } from './create-batcher.ts';
export { createFairQueue, TooBusy, type FairQueue, type FairQueueLimits } from './fair-queue.ts';
export { inTurns, mapInTurns } from './in-turns.ts';
export { lowerThreadPriority } from './lower-thread-priority.ts';
export { createTurnOrder, type TurnOrder } from './turn-order.ts';
export { waitUntilQuiet } from './wait-until-quiet.ts';
export { createWakeSignal, type WakeSignal } from './wake-signal.ts';
