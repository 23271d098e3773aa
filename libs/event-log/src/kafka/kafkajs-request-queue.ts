import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/**
 * kafkajs 2.2.4 has each connection look once a millisecond, for ever, for requests that wait for a throttled broker,
 * whether there are any or not: it sets its timer to a moment in the past (which Node.js also warns about). Here the
 * timer is set only when a request waits.
 */
export function quietRequestQueues(): void {
  const { prototype } = RequestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  if (prototype.isQuiet) return;
  prototype.isQuiet = true;
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this);
  };
}
