import type { BlogSides, Difference, ProjectSides, ProjectState } from './compare.ts';
import type { Found } from './sides/look.ts';

/** A line of `--json`. */
export interface Finding {
  readonly project_id: string;
  /** Null: the project itself. */
  readonly blog_id: string | null;
  readonly title: string | null;
  readonly differences: readonly Difference[];
  /** What each side says. */
  readonly content_service: string;
  readonly read_model: string;
  readonly deliveries: string;
  readonly log: string;
  /** Why it couldn't be judged; null if it differs. */
  readonly undecided: string | null;
}

export function blogFinding(
  projectId: string,
  { id, sides, differences }: Found<BlogSides>,
  undecided: string | null,
): Finding {
  const { content, read, dispatcher, log } = sides;
  const { newest, holders } = dispatcher;
  const shown =
    read.shown === null ? 'not public' : `public as “${read.shown.slug}”, revision of ${read.shown.updatedAt}`;
  const planned =
    newest === null ? 'no event' : `event ${newest.number}, ${newest.shows ? 'published' : 'not published'}`;
  const inLog = log.isCurrent ? 'has this revision' : log.shows ? 'published' : 'not published';
  return {
    project_id: projectId,
    blog_id: id,
    title: content?.title || (read.shown?.title ?? newest?.title ?? log.title),
    differences,
    content_service:
      content === null
        ? 'unknown'
        : `${content.state}, event ${content.eventNumber}` +
          (content.publication === null
            ? ''
            : `, as “${content.publication.slug}”, revision of ${content.publication.updatedAt}`),
    read_model: `${shown}, event ${read.eventNumber}${read.isParked ? ', parked' : ''}`,
    deliveries:
      planned + (holders.length > 0 ? `, held by ${holders.join(', ')}` : '') + (dispatcher.isParked ? ', parked' : ''),
    log: log.aheadNumber > 0 ? `${inLog}, event ${log.aheadNumber}` : inLog,
    undecided,
  };
}

export function projectFinding({ id, sides, differences }: Found<ProjectSides>, undecided: string | null): Finding {
  const { content, read, dispatcher, log } = sides;
  const inLog = log.isCurrent ? 'has this version' : log.shows ? 'has another version' : 'nothing, or deleted';
  return {
    project_id: id,
    blog_id: null,
    title: content?.name ?? read?.name ?? dispatcher?.name ?? null,
    differences,
    content_service: describeProject(content),
    read_model: describeProject(read),
    deliveries: describeProject(dispatcher),
    log: log.aheadNumber > 0 ? `${inLog}, event ${log.aheadNumber}` : inLog,
    undecided,
  };
}

function describeProject(state: ProjectState | null): string {
  if (state === null) return 'unknown';
  if (state.isDeleted) return `deleted, event ${state.eventNumber}`;
  const members = state.members === '' ? 0 : state.members.split(', ').length;
  const people = `${members} ${members === 1 ? 'member' : 'members'}`;
  return `“${state.name ?? ''}”, ${state.siteUrl ?? 'no site URL'}, ${people}${state.suspended === null ? '' : ', suspended'}, event ${state.eventNumber}`;
}

const KINDS: Readonly<Record<Difference['kind'], string>> = {
  unowned: 'has what content-service doesn’t know',
  not_published: 'shows what isn’t published',
  held: 'receivers have what nobody publishes',
  missing: 'lacks it',
  stale: 'has another version',
  ahead: 'has a newer event; the next change would be ignored',
  behind: 'lacks an event',
};

const LABELS = { read_model: 'read model', deliveries: 'deliveries', log: 'log' } as const;

/** A finding for people, in several lines. */
export function describeFinding(finding: Finding): string {
  const { project_id: projectId, blog_id: blogId, title, differences, undecided } = finding;
  const name = title === null || title === '' ? '' : ` “${title}”`;
  const subject = blogId === null ? `Project ${projectId}${name}` : `Post ${blogId}${name} of project ${projectId}`;
  const said = (where: keyof typeof LABELS) => {
    const kinds = differences.flatMap((one) => (one.where === where ? [KINDS[one.kind]] : []));
    return `  ${LABELS[where].padEnd(16)} ${finding[where]}${kinds.length > 0 ? `  ← ${kinds.join('; ')}` : ''}`;
  };
  return [
    `${subject}${undecided === null ? '' : `: not judged, because ${undecided}`}`,
    `  ${'content-service'.padEnd(16)} ${finding.content_service}`,
    said('read_model'),
    said('deliveries'),
    said('log'),
  ].join('\n');
}
