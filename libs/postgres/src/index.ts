export { binaryArray, type ElementType, type ElementValue } from './binary-array.ts';
export { openPool, type OpenPoolConfig } from './open-pool.ts';
export { CONNECTIONS_OF_REPLICA, connectionsDuringUpdate, MAX_CONNECTIONS } from './connection-budget.ts';
export { inTransaction, transact, type Commit } from './in-transaction.ts';
export { listen, type ListenOptions } from './listen.ts';
export { withAdvisoryLock } from './with-advisory-lock.ts';
export { openSession, SILENT_AFTER_S, type Session, type SessionOptions } from './open-session.ts';
export { sqlStateOf } from './sql-state-of.ts';
export { sendTogether } from './send-together.ts';
