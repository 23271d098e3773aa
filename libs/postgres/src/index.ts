export { binaryArray, type ElementType, type ElementValue } from './binary-array.ts';
export { openPool, type OpenPoolConfig } from './open-pool.ts';
export { CONNECTIONS_OF_REPLICA } from './connection-budget.ts';
