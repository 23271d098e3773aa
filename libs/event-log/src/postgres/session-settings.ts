/** Server parameters of the sessions of the relay and of consumers. */
export const SESSION_SETTINGS = {
  // Nothing that a session writes (marks, committed offsets, heartbeats) does harm when a crash of the server loses it.
  synchronous_commit: 'off',
  // A plan made while a table was empty reads all of it when it is not: every statement has an index to go by, and one
  // plan is as good as the next. Compiling one takes longer than running it.
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};
