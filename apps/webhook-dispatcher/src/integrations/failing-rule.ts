/** When a receiver counts as failing: both must hold. */
export interface FailingRule {
  /** So many deliveries in a row have ended as failed, … */
  readonly deliveries: number;
  /** … and between the first of them and the last lies so much time, in milliseconds. */
  readonly durationMs: number;
}

/** Five in a row over an hour: not one bulk publish during a restart of the receiver. */
export const FAILING_RULE: FailingRule = { deliveries: 5, durationMs: 3_600_000 };
