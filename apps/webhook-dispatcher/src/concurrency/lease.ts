/** The lease of a delivery as its holder sees it. */
export interface Lease {
  /**
   * Whether it certainly still runs, by this process's monotonic clock. To be asked in the same turn as what depends on
   * it is done.
   */
  isHeld(): boolean;
  /** Aborted when the attempt must end. */
  readonly interrupted: AbortSignal;
}
