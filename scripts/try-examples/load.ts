import { whenProjectIsKnown } from '@blog-content/local-services';
import type { Stack } from './start-stack.ts';

/** Visitors of the project's API, and agents of another project. */
const READERS = 4;
const WRITERS = 2;

/** What goes on beside the changes of a project, until it is stopped. */
export interface Load {
  /** Resolves to what was done. @throws the first that failed */
  stop(): Promise<{ readonly reads: number; readonly publishes: number }>;
}

/** Has visitors read lists and posts of a project, and another project write and publish, all the time. */
export async function startLoad({ origin, owner }: Stack, publicKey: string): Promise<Load> {
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Next door' });
  await whenProjectIsKnown(() => owner.post(`projects/${id}/public-key`));
  const counts = { reads: 0, publishes: 0 };
  let isOver = false;
  const whileWanted = async (act: (round: number) => Promise<void>) => {
    for (let round = 0; !isOver; round += 1) await act(round);
  };

  const read = async (round: number) => {
    const path = round % 2 === 0 ? `?limit=20&offset=${(round * 10) % 250}` : `/recipe-${round % 250}`;
    const url = `${origin}/blog/api/v1/public/blogs${path}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${publicKey}` } });
    await answer.arrayBuffer();
    // The post that is taken down meanwhile.
    if (!answer.ok && answer.status !== 404) throw new Error(`${url}: ${answer.status} while posts changed.`);
    counts.reads += 1;
  };
  const write = async (round: number) => {
    const post = { title: `Neighbour ${round}`, content: '<p>Hello [INTERNAL:neighbour-1].</p>' };
    const { id: blogId } = await owner.post<{ id: string }>(`projects/${id}/blogs`, post);
    await owner.post(`projects/${id}/blogs/${blogId}/publish`);
    counts.publishes += 1;
  };
  const all = Promise.all([
    ...Array.from({ length: READERS }, () => whileWanted(read)),
    ...Array.from({ length: WRITERS }, () => whileWanted(write)),
  ]);
  // Told by `stop`.
  all.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await all;
      return counts;
    },
  };
}
