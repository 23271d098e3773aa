/** The PostgreSQL channel on which replicas hear of changes; its messages are {@link toMessage}'s. */
export const READ_MODEL_CHANNEL = 'read_model';

/** More projects than this become "all projects": a message has at most 8,000 bytes. */
const MAX_NAMED_PROJECTS = 200;

/** What a commit changed for readers. */
export interface ReadModelChange {
  /** Grows by one with every such commit, in the order of the commits. */
  readonly epoch: bigint;
  /** Null for all projects. */
  readonly projectIds: readonly string[] | null;
}

/** The ids with commas between, or `*` for all. */
export function formatProjectIds(projectIds: ReadModelChange['projectIds']): string {
  return projectIds !== null && projectIds.length <= MAX_NAMED_PROJECTS ? projectIds.join(',') : '*';
}

/** The epoch, then what {@link formatProjectIds} gives. */
export function toMessage({ epoch, projectIds }: ReadModelChange): string {
  return `${epoch} ${formatProjectIds(projectIds)}`;
}

/** Reads what {@link toMessage} wrote; null for anything else. */
export function parseMessage(message: string): ReadModelChange | null {
  const [, epoch, named] = /^(\d+) (\*|[0-9a-f,-]+)$/.exec(message) ?? [];
  if (epoch === undefined || named === undefined) return null;
  return { epoch: BigInt(epoch), projectIds: named === '*' ? null : named.split(',') };
}
