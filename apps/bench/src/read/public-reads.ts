import type { PublicGet } from '../load/http-request.ts';
import { createNumbers, keyOf, postsPerProject, slugOf, type DataSetSize } from './data-set/data-set.ts';

/** A kind of read that is measured. */
export interface PublicRead {
  readonly name: string;
  /** The request for this kind of one project, and of one of its posts where it is about one. */
  toGet(project: number, place: number): PublicGet;
}

/** The kinds of reads, on a read model of the given size. */
export function publicReads(size: DataSetSize): PublicRead[] {
  const perProject = postsPerProject(size);
  const ofProject = (path: string) => (project: number) => ({ path, key: keyOf(project) });
  return [
    { name: `list of ${Math.min(50, perProject)}`, toGet: ofProject('/blogs') },
    { name: `list of ${Math.min(50, perProject)} with content`, toGet: ofProject('/blogs?include_content=true') },
    { name: 'one blog', toGet: (project, place) => ({ path: `/blogs/${slugOf(place)}`, key: keyOf(project) }) },
    { name: `sitemap of ${Math.min(5_000, perProject)}`, toGet: ofProject('/blogs/sitemap') },
  ];
}

/** A request for the newest post, or for what is asked of a project, of each of the first `projects`. */
export function hotGets(read: PublicRead, size: DataSetSize, projects: number): PublicGet[] {
  return Array.from({ length: projects }, (_, project) => read.toGet(project, postsPerProject(size) - 1));
}

/** Requests for projects and posts taken at random, the same ones on every run with the same seed. */
export function randomGets(read: PublicRead, size: DataSetSize, count: number, seed: number): PublicGet[] {
  const number = createNumbers(seed);
  return Array.from({ length: count }, () => read.toGet(number(size.projects), number(postsPerProject(size))));
}
