export { binaryArray, type ElementType, type ElementValue } from './binary-array.ts';
export { openPool } from './open-pool.ts';
