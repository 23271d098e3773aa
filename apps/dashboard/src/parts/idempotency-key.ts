/** A key for one press of a button, so that a call that is sent twice happens once. */
export const idempotencyKey = (): string => crypto.randomUUID();
