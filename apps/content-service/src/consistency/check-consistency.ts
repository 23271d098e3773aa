import { setTimeout as sleep } from 'node:timers/promises';
import type { BlogSides, ProjectSides } from './compare.ts';
import { deleteProgress, readProgress, writeProgress, type Progress } from './progress-file.ts';
import { planBlogRepair, planProjectRepair } from './repair/plan-repair.ts';
import type { RepairStore } from './repair/repair-store.ts';
import { blogFinding, projectFinding, type Finding } from './report.ts';
import { FIRST_ID } from './sides/open-side.ts';
import { confirm, look, ofBlogs, ofProjects, type Found, type Sides } from './sides/look.ts';
import type { Settle } from './sides/settle.ts';

/** Posts and projects that are looked at together. */
const PAGE = 500;
/** Repairs that may be on their way at the same time. */
const REPAIRS_AT_ONCE = 100;
/** How long deliveries to the receivers of a project that is about to be deleted may take. */
const DRAIN_MS = 10_000;
const POLL_MS = 200;

export interface CheckOptions {
  readonly sides: Sides;
  readonly settle: Settle;
  /** Null: only compares. */
  readonly repair: { readonly store: RepairStore; readonly tellsReceivers: boolean } | null;
  readonly projectId: string | undefined;
  readonly progressFile: string | undefined;
  readonly onFinding: (finding: Finding) => void;
  readonly onProgress: (summary: Summary) => void;
  readonly monotonicMs: () => number;
}

/** What a check has found so far. */
export interface Summary {
  readonly projects: number;
  readonly posts: number;
  /** Posts and projects that differ. */
  readonly found: number;
  readonly undecided: number;
  /** Those that still differ after the repair. */
  readonly remaining: number;
}

/**
 * Compares all projects with content-service, in the order of their ids, and the posts of each. Continues where the
 * progress file says; deletes it at the end.
 */
export async function checkConsistency(options: CheckOptions): Promise<Summary> {
  const { sides, settle, repair, progressFile, onFinding, onProgress, monotonicMs } = options;
  const before = progressFile === undefined ? null : await readProgress(progressFile);
  const counts = {
    projects: before?.projects ?? 0,
    posts: before?.posts ?? 0,
    found: before?.found ?? 0,
    undecided: before?.undecided ?? 0,
    remaining: before?.remaining ?? 0,
  };
  const save = async (at: Pick<Progress, 'project_id' | 'blog_id'>) => {
    onProgress(counts);
    if (progressFile !== undefined) await writeProgress(progressFile, { ...at, ...counts });
  };
  const tellsReceivers = repair?.tellsReceivers === true;

  async function checkBlogs(projectId: string, ids: readonly string[]): Promise<void> {
    const looking = ofBlogs(sides, projectId);
    const isWanted = (of: BlogSides) => tellsReceivers && planBlogRepair(of, true) !== null;
    const candidates = await look(looking, ids, isWanted);
    if (candidates.length === 0) return;
    const idsOf = (found: readonly Found<unknown>[]) => found.map(({ id }) => id);
    const { differing, undecided } = await confirm(looking, idsOf(candidates), { settle, isWanted });
    for (const one of differing) onFinding(blogFinding(projectId, one, null));
    for (const one of undecided) onFinding(blogFinding(projectId, one, one.because));
    counts.found += differing.length;
    counts.undecided += undecided.length;
    if (repair === null) counts.remaining += differing.length;
    else {
      for (let at = 0; at < differing.length; at += REPAIRS_AT_ONCE) {
        const part = differing.slice(at, at + REPAIRS_AT_ONCE);
        for (const { id, sides: of } of part) {
          const planned = planBlogRepair(of, tellsReceivers);
          if (planned !== null) await repair.store.repairBlog(projectId, id, { seen: of.content, repair: planned });
        }
        // Before the next ones: never more than these are on their way.
        const left = await confirm(looking, idsOf(part), { settle, isWanted });
        counts.remaining += left.differing.length + left.undecided.length;
      }
    }
  }

  async function checkProject(projectId: string): Promise<void> {
    const looking = ofProjects(sides);
    const isWanted = () => false;
    if ((await look(looking, [projectId], isWanted)).length === 0) return;
    const { differing, undecided } = await confirm(looking, [projectId], { settle, isWanted });
    for (const one of differing) onFinding(projectFinding(one, null));
    for (const one of undecided) onFinding(projectFinding(one, one.because));
    counts.found += differing.length;
    counts.undecided += undecided.length;
    for (const { sides: of } of differing) {
      if (repair === null || !(await repairProject(projectId, of, repair.store))) counts.remaining += 1;
      else {
        const left = await confirm(looking, [projectId], { settle, isWanted });
        counts.remaining += left.differing.length + left.undecided.length;
      }
    }
  }

  /** False while a project that is to be deleted still has posts at receivers: with it would go who has them. */
  async function repairProject(projectId: string, of: ProjectSides, store: RepairStore): Promise<boolean> {
    const planned = planProjectRepair(of);
    if (planned.kind === 'delete') {
      if (await sides.read.showsPosts(projectId)) return false;
      const untilMs = monotonicMs() + (tellsReceivers ? DRAIN_MS : 0);
      while (await sides.dispatcher.isInUse(projectId)) {
        if (monotonicMs() > untilMs) return false;
        await sleep(POLL_MS);
      }
    }
    return store.repairProject(projectId, { seen: of.content, repair: planned });
  }

  async function checkPosts(projectId: string, start: string): Promise<void> {
    for (let after = start; ;) {
      const ids = await nextIds(after, [
        (from) => sides.content.blogIds(projectId, from, PAGE),
        (from) => sides.read.blogIds(projectId, from, PAGE),
        (from) => sides.dispatcher.blogIds(projectId, from, PAGE),
        (from) => Promise.resolve(sides.log.blogIds(projectId, from).slice(0, PAGE)),
      ]);
      const last = ids.at(-1);
      if (last === undefined) return;
      await checkBlogs(projectId, ids);
      counts.posts += ids.length;
      after = last;
      await save({ project_id: projectId, blog_id: last });
    }
  }

  async function checkAllOf(projectId: string, start = FIRST_ID): Promise<void> {
    const known = (await sides.content.projects([projectId])).get(projectId);
    // Posts of a deleted project are deleted with it, without events of their own.
    if (known?.isDeleted !== true) await checkPosts(projectId, start);
    await checkProject(projectId);
    counts.projects += 1;
  }

  const { projectId: only } = options;
  const isKnown = async (id: string) => {
    const [one] = await look(ofProjects(sides), [id], () => true);
    return [one?.sides.content, one?.sides.read, one?.sides.dispatcher].some((state) => state) || counts.posts > 0;
  };
  if (before !== null && only !== undefined && before.project_id !== only) {
    throw new Error(`${progressFile} holds the progress of another check. Delete it, or name another file.`);
  }
  if (before !== null && before.blog_id !== null) await checkAllOf(before.project_id, before.blog_id);
  if (only !== undefined) {
    if (before === null) {
      await checkAllOf(only);
      if (!(await isKnown(only))) throw new TypeError(`No service knows the project ${only}.`);
    }
  } else {
    for (let after = before?.project_id ?? FIRST_ID; ;) {
      const ids = await nextIds(after, [
        (from) => sides.content.projectIds(from, PAGE),
        (from) => sides.read.projectIds(from, PAGE),
        (from) => sides.dispatcher.projectIds(from, PAGE),
        (from) => Promise.resolve(sides.log.projectIds(from).slice(0, PAGE)),
      ]);
      const last = ids.at(-1);
      if (last === undefined) break;
      for (const id of ids) {
        await checkAllOf(id);
        await save({ project_id: id, blog_id: null });
      }
      after = last;
    }
  }
  if (progressFile !== undefined) await deleteProgress(progressFile);
  return counts;
}

/** The next ids of all sources, in order: no further than each full page reaches. */
async function nextIds(
  after: string,
  sources: readonly ((after: string) => Promise<readonly string[]>)[],
): Promise<string[]> {
  const pages: (readonly string[])[] = [];
  for (const source of sources) pages.push(await source(after));
  const ends = pages.flatMap((page) => (page.length === PAGE ? [page.at(-1)!] : []));
  const end = ends.toSorted()[0];
  return [...new Set(pages.flat())].filter((id) => end === undefined || id <= end).toSorted();
}
