import { isDeepStrictEqual } from 'node:util';
import { compareBlog, compareProject, type BlogSides, type Difference, type ProjectSides } from '../compare.ts';
import type { ContentSide } from './content-side-store.ts';
import type { DispatcherSide } from './dispatcher-side-store.ts';
import type { LogSide } from './log-side.ts';
import type { ReadSide } from './read-side-store.ts';
import type { Settle } from './settle.ts';

export interface Sides {
  readonly content: ContentSide;
  readonly read: ReadSide;
  readonly dispatcher: DispatcherSide;
  readonly log: LogSide;
}

/** Something that differs, as all sides have it. */
export interface Found<Of> {
  readonly id: string;
  readonly sides: Of;
  readonly differences: readonly Difference[];
}

/** What is known of subjects that differed at the first look. */
export interface Confirmed<Of> {
  readonly differing: readonly Found<Of>[];
  /** What couldn't be judged, and why. */
  readonly undecided: readonly (Found<Of> & { readonly because: string })[];
}

const MAX_LOOKS = 10;

export const ofBlogs = ({ content, read, dispatcher, log }: Sides, projectId: string) => ({
  compare: compareBlog,
  contentOf: (ids: readonly string[]) => content.blogs(ids),
  async sidesOf(ids: readonly string[], known: Awaited<ReturnType<ContentSide['blogs']>>) {
    const [shown, planned] = [await read.blogs(ids), await dispatcher.blogs(projectId, ids)];
    return new Map(
      ids.map((id): [string, BlogSides] => {
        const position = known.get(id)?.position;
        return [
          id,
          {
            content: known.get(id) ?? null,
            read: shown.get(id)!,
            dispatcher: planned.get(id)!,
            log: log.blog(projectId, id, position),
          },
        ];
      }),
    );
  },
});

export const ofProjects = ({ content, read, dispatcher, log }: Sides) => ({
  compare: compareProject,
  contentOf: (ids: readonly string[]) => content.projects(ids),
  async sidesOf(ids: readonly string[], known: Awaited<ReturnType<ContentSide['projects']>>) {
    const [shown, planned] = [await read.projects(ids), await dispatcher.projects(ids)];
    return new Map(
      ids.map((id): [string, ProjectSides] => [
        id,
        {
          content: known.get(id) ?? null,
          read: shown.get(id) ?? null,
          dispatcher: planned.get(id) ?? null,
          log: log.project(id, known.get(id)?.position),
        },
      ]),
    );
  },
});

interface Looking<Content, Of> {
  readonly compare: (sides: Of) => readonly Difference[];
  readonly contentOf: (ids: readonly string[]) => Promise<Map<string, Content>>;
  readonly sidesOf: (ids: readonly string[], known: Map<string, Content>) => Promise<Map<string, Of>>;
}

/** Compares subjects once. What is being published right now may differ. */
export async function look<Content, Of>(
  { compare, contentOf, sidesOf }: Looking<Content, Of>,
  ids: readonly string[],
  isWanted: (sides: Of) => boolean,
): Promise<Found<Of>[]> {
  const sides = await sidesOf(ids, await contentOf(ids));
  return [...sides].flatMap(([id, of]) => {
    const differences = compare(of);
    return differences.length > 0 || isWanted(of) ? [{ id, sides: of, differences }] : [];
  });
}

/**
 * Looks again at what differed, until each subject stayed as it is in content-service while everything before was
 * processed. What differs then, differs.
 */
export async function confirm<Content, Of>(
  looking: Looking<Content, Of>,
  ids: readonly string[],
  { settle, isWanted }: { settle: Settle; isWanted: (sides: Of) => boolean },
): Promise<Confirmed<Of>> {
  const differing: Found<Of>[] = [];
  let open = ids;
  let before = await looking.contentOf(open);
  for (let looks = 0; open.length > 0; looks++) {
    const settled = await settle();
    const found = await look(looking, open, isWanted);
    const after = await looking.contentOf(open);
    if (!settled.isSettled) return { differing, undecided: found.map((one) => ({ ...one, because: settled.because })) };
    const isStill = (id: string) => isDeepStrictEqual(before.get(id), after.get(id));
    differing.push(...found.filter(({ id }) => isStill(id)));
    const moving = found.filter(({ id }) => !isStill(id));
    if (looks === MAX_LOOKS) {
      const because = 'it changed during every look';
      return { differing, undecided: moving.map((one) => ({ ...one, because })) };
    }
    open = moving.map(({ id }) => id);
    before = after;
  }
  return { differing, undecided: [] };
}
