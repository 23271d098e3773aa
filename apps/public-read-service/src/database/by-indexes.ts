/**
 * For a transaction on large tables. A plan that was made while a table was small would read all of it when it has
 * grown, so statements use the indexes, no matter what the planner estimates. Without `jit`: what has no index is taken
 * for so costly that it would be compiled, for a tenth of a second.
 */
export const BY_INDEXES = 'SET LOCAL enable_seqscan = off; SET LOCAL jit = off;';
