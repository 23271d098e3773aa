/** A service, or the log, that content-service is compared with. */
export type Where = 'read_model' | 'deliveries' | 'log';

/**
 * How something differs from content-service:
 *
 * - `unowned`: it is there, and content-service doesn't know it or has deleted it
 * - `not_published`: it is shown, and content-service has it as a draft or as unpublished
 * - `held`: receivers have it, nobody publishes it, and they were not told of its end
 * - `missing`: content-service has it, and it is not there
 * - `stale`: it is there in another version
 * - `ahead`: it has a higher event number than content-service, so the next change would be ignored
 * - `behind`: it lacks an event that changed nothing readers see
 */
export type Kind = 'unowned' | 'not_published' | 'held' | 'missing' | 'stale' | 'ahead' | 'behind';

export interface Difference {
  readonly where: Where;
  readonly kind: Kind;
}

/** What content-service publishes of a post. */
export interface Publication {
  readonly publishId: string;
  /** Of the event that said so. */
  readonly number: number;
  readonly slug: string;
  readonly title: string;
  /** ISO 8601: when the revision was published, and the date that readers see. */
  readonly updatedAt: string;
  readonly publishedAt: string;
}

export interface ContentBlog {
  readonly state: 'draft' | 'published' | 'unpublished' | 'deleted';
  readonly eventNumber: number;
  readonly title: string;
  readonly publication: Publication | null;
}

export interface ReadBlog {
  /** 0: it has seen no event of the post. */
  readonly eventNumber: number;
  readonly shown: Pick<Publication, 'slug' | 'title' | 'updatedAt' | 'publishedAt'> | null;
  readonly isParked: boolean;
}

export interface DispatcherBlog {
  /** The newest event that deliveries were planned for. */
  readonly newest: {
    readonly number: number;
    readonly shows: boolean;
    readonly publishId: string | null;
    readonly title: string | null;
    readonly readersOnly: boolean;
  } | null;
  /** Names of the active receivers that have the post, and were told of no end since. */
  readonly holders: readonly string[];
  readonly isParked: boolean;
}

export interface LogBlog {
  /** Whether the last event that shows or hides the post shows it. */
  readonly shows: boolean;
  /** Whether that event is of the revision that content-service publishes. */
  readonly isCurrent: boolean;
  /** Of the newest event, where that is above content-service's; otherwise 0. */
  readonly aheadNumber: number;
  readonly title: string | null;
}

/** A post, as each side has it. Null: content-service doesn't know it. */
export interface BlogSides {
  readonly content: ContentBlog | null;
  readonly read: ReadBlog;
  readonly dispatcher: DispatcherBlog;
  readonly log: LogBlog;
}

/** Whether content-service has no such post any more. */
export const isGone = (content: ContentBlog | null): boolean => content === null || content.state === 'deleted';

/** Compares what each side has of a post with content-service. */
export function compareBlog({ content, read, dispatcher, log }: BlogSides): Difference[] {
  const found: Difference[] = [];
  const add = (where: Where, kind: Kind | null) => void (kind !== null && found.push({ where, kind }));
  const publication = content?.publication ?? null;
  const number = isGone(content) ? Infinity : content!.eventNumber;
  const hidden: Kind = isGone(content) ? 'unowned' : 'not_published';
  const { newest } = dispatcher;
  if (publication === null) {
    add('read_model', read.shown === null ? null : hidden);
    if (dispatcher.holders.length > 0) add('deliveries', 'held');
    else add('deliveries', newest?.shows === true ? hidden : null);
    add('log', log.shows ? hidden : null);
  } else {
    if (read.shown === null) add('read_model', 'missing');
    else add('read_model', isSame(read.shown, publication) ? null : 'stale');
    if (newest === null || newest.number < publication.number) add('deliveries', 'missing');
    else if (newest.number <= number && newest.publishId !== publication.publishId) add('deliveries', 'stale');
    if (!log.isCurrent && log.aheadNumber <= number) add('log', 'missing');
  }
  if (read.eventNumber > number) add('read_model', 'ahead');
  else if (number !== Infinity && read.eventNumber < number && found.every(({ where }) => where !== 'read_model')) {
    add('read_model', 'behind');
  }
  if ((newest?.number ?? 0) > number) add('deliveries', 'ahead');
  if (log.aheadNumber > number) add('log', 'ahead');
  return found;
}

function isSame(shown: NonNullable<ReadBlog['shown']>, publication: Publication): boolean {
  return (['slug', 'title', 'updatedAt', 'publishedAt'] as const).every((field) => shown[field] === publication[field]);
}

/** A project, as content-service or a service that reads `blog.projects` has it. */
export interface ProjectState {
  /** 0: it is known from its posts only. */
  readonly eventNumber: number;
  readonly isDeleted: boolean;
  readonly name: string | null;
  readonly siteUrl: string | null;
  /** What is stopped in it; null unless it is suspended. */
  readonly suspended: string | null;
  /** Accounts with their roles, as one text. */
  readonly members: string;
}

export interface LogProject {
  /** Whether the last event says that there is the project. */
  readonly shows: boolean;
  /** Whether that event is the newest of content-service. */
  readonly isCurrent: boolean;
  readonly aheadNumber: number;
}

export interface ProjectSides {
  readonly content: ProjectState | null;
  readonly read: ProjectState | null;
  readonly dispatcher: ProjectState | null;
  readonly log: LogProject;
}

/** Compares what each side knows of a project with content-service. */
export function compareProject({ content, read, dispatcher, log }: ProjectSides): Difference[] {
  const found: Difference[] = [];
  for (const [where, state] of [
    ['read_model', read],
    ['deliveries', dispatcher],
  ] as const) {
    const kind = kindOf(content, state);
    if (kind !== null) found.push({ where, kind });
  }
  if (content === null || content.isDeleted) {
    if (log.shows) found.push({ where: 'log', kind: 'unowned' });
  } else if (log.aheadNumber > content.eventNumber) found.push({ where: 'log', kind: 'ahead' });
  else if (!log.isCurrent) found.push({ where: 'log', kind: 'missing' });
  return found;
}

function kindOf(content: ProjectState | null, state: ProjectState | null): Kind | null {
  if (content === null || content.isDeleted) return state === null || state.isDeleted ? null : 'unowned';
  if (state === null || state.eventNumber === 0) return 'missing';
  if (state.eventNumber > content.eventNumber) return 'ahead';
  const isEqual = (['eventNumber', 'isDeleted', 'name', 'siteUrl', 'suspended', 'members'] as const).every(
    (field) => state[field] === content[field],
  );
  return isEqual ? null : 'stale';
}
