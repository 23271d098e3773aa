/** Server parameters of the sessions of the relay and of consumers. */
export const SESSION_SETTINGS = {
  // Nothing that a session writes (marks, committed offsets, heartbeats) does harm when a crash of the server loses it.
  synchronous_commit: 'off',
};
