import { whenProjectIsKnown, type OwnerClient } from '@blog-content/local-services';
import type { Publish } from '@blog-content/payload-schemas';
import { eventually, type CallProject } from '@blog-content/testing';
import type { Stack } from './stack.ts';

/** A project with a public key and, when asked for, a webhook. */
export interface TestProject {
  readonly id: string;
  readonly publicKey: string;
}

/** Makes a project through the owner API, and waits until the services that learn of it from the topic know it. */
export async function createProject(
  owner: OwnerClient,
  options: {
    siteUrl: string | null;
    receiverUrls?: readonly string[];
    /** The first so many of them have manual publishes retried. */
    retriedReceivers?: number;
    secret?: string;
  },
): Promise<TestProject> {
  const { id } = await owner.post<{ id: string }>('projects', { name: 'End to end', site_url: options.siteUrl });
  const { public_key } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  for (const [place, url] of (options.receiverUrls ?? []).entries()) {
    const webhook = { url, secret: options.secret ?? null, retry_manual: place < (options.retriedReceivers ?? 0) };
    await whenProjectIsKnown(() => owner.post(`projects/${id}/webhooks`, webhook));
  }
  return { id, publicKey: public_key };
}

/** Every publish of a blog, newest first. */
async function listPublishes(owner: OwnerClient, projectId: string, blogId: string): Promise<Publish[]> {
  return (await owner.get<{ items: Publish[] }>(`projects/${projectId}/blogs/${blogId}/publishes?limit=100`)).items;
}

/** Every publish of a project, newest first. */
export function listAllPublishes(owner: OwnerClient, projectId: string): Promise<Publish[]> {
  return listAll(owner, `projects/${projectId}/publishes`);
}

/** All items of a list that comes in pages. */
export async function listAll<Item>(owner: OwnerClient, path: string): Promise<Item[]> {
  const all: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { items: Item[]; next_cursor: string | null } = await owner.get(
      `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

/** Publishes a new blog, and waits until all three have done their work: read model, delivery, and its outcome. */
export async function publishThroughAll(owner: OwnerClient, projectId: string, slug: string): Promise<void> {
  const path = `projects/${projectId}/blogs`;
  const { id } = await owner.post<{ id: string }>(path, { title: slug, slug, content: '<p>x</p>' });
  await owner.post(`${path}/${id}/publish`);
  await eventually(async () => {
    const [publish] = await listPublishes(owner, projectId, id);
    if (publish?.status !== 'succeeded') throw new Error(`The publish is ${publish?.status}.`);
  });
}

/** Calls the API of a project as an agent. */
export async function callAsAgent({ local, owner }: Stack, projectId: string): Promise<CallProject> {
  const { key } = await whenProjectIsKnown(() =>
    owner.post<{ key: string }>(`projects/${projectId}/agent-keys`, { name: 'Agent' }),
  );
  return async <Answer>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${local.origin}/blog/api/v1/agent/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
}
