import type { LocalSettings } from '@blog-content/local-services';
import type { Child } from '../processes/child.ts';
import type { Cores } from '../processes/cores.ts';
import type { DataSetSize } from './data-set/data-set.ts';

/** What every part of the bench of reads is given. */
export interface BenchContext {
  readonly cores: Cores | null;
  readonly generator: Child;
  readonly settings: LocalSettings;
  /** Address of a database of the one PostgreSQL server, which shares the load's core. */
  readonly databaseUrl: (database: string) => string;
  readonly folder: string;
  /** How long one round takes. */
  readonly seconds: number;
  readonly rounds: number;
  readonly size: DataSetSize;
  /** A read model of this size. */
  readonly dataSetUrl: string;
  /** Of an empty event log. */
  readonly eventLogUrl: string;
  /** Whether a case is to be measured. */
  readonly selected: (name: string) => boolean;
}

/** Connections that saturate a server, and one on which request follows request. */
export const CONNECTIONS = { saturating: 32, single: 1 } as const;
/** The setting that the product has by default. */
export const CACHE_MB = 64;
/** The most resident memory that a read service may take under any load: its pods have 512 MiB. */
export const NEED_RESIDENT_MIB = 400;
