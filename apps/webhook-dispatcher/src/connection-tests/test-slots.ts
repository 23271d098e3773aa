import { createFairQueue } from '@blog-content/concurrency';

/**
 * Most concurrent tests of one process: of receivers, deploy hooks and key files. Each holds a connection of ours for as
 * long as the other side likes, within its deadline.
 */
const MAX_TESTS = 32;
/** Most of them that one account has asked for, in however many projects. */
const MAX_TESTS_OF_ACCOUNT = 8;

/** Slots for the tests that owners wait for. None waits for a slot. */
export const createTestSlots = () => createFairQueue({ slots: MAX_TESTS, slotsEach: MAX_TESTS_OF_ACCOUNT });
