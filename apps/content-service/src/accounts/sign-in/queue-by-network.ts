import { queueRequests, READS } from '@blog-content/service-runtime';
import type { RequestHandler } from 'express';
import { networkOf } from './network-of.ts';

/** Most concurrent requests of one network without a session in a process. */
const MAX_RUNNING_OF_NETWORK = 2;
/**
 * Most of one network that wait: more than one that waits for its answers has under way, so that it is slowed down, not
 * told to come again.
 */
const MAX_WAITING_OF_NETWORK = 100;

/**
 * Runs a few writes of each network at a time: for people who are not signed in yet, of whom nothing else is known.
 * What one network asks for so delays nobody elsewhere.
 */
export const queueByNetwork = (): RequestHandler =>
  queueRequests(
    ({ ip = '' }) => networkOf(ip),
    [
      {
        has: ({ method }) => !READS.has(method),
        atOnce: MAX_RUNNING_OF_NETWORK,
        waitingEach: MAX_WAITING_OF_NETWORK,
        refusal: 'Too many concurrent requests from your network.',
      },
    ],
  );
