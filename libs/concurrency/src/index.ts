export { backoffMs, pause, type Backoff } from './backoff.ts';
export { createBatcher, type Batcher, type BatcherOptions } from './create-batcher.ts';
export { waitUntilQuiet } from './wait-until-quiet.ts';
export { createWakeSignal, type WakeSignal } from './wake-signal.ts';
