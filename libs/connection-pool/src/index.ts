export { openPool } from './open-pool.ts';
