import { client } from '../generated/client.gen.ts';
import { getProject, getPublicKey } from '../generated/sdk.gen.ts';
import { authorizedFetch } from '../session/authorized-fetch.ts';
import { accountId, resumeSession } from '../session/session.ts';

/** A signed-in reader: the project opened last in this browser, with its public key. */
export interface Reader {
  readonly project: string;
  readonly projectId: string;
  readonly publicKey: string;
}

/** Null for readers who are signed out or no member of the project any more, and for projects without a key. */
export async function readReader(projectId: string): Promise<Reader | null> {
  await resumeSession();
  if (accountId() === null) return null;
  client.setConfig({ baseUrl: window.location.origin, fetch: authorizedFetch as typeof fetch, parseAs: 'json' });
  const path = { projectId };
  const [project, key] = await Promise.all([getProject({ path }), getPublicKey({ path })]);
  if (!project.data || !key.data) return null;
  return { project: project.data.name, projectId, publicKey: key.data.public_key };
}
