export { binaryArray, type ElementType, type ElementValue } from './binary-array.ts';
export { openPool, type OpenPoolConfig } from './open-pool.ts';
