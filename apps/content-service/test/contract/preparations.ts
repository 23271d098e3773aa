import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import sharp from 'sharp';
import yazl from 'yazl';
import { SESSION_COOKIE } from '../../src/accounts/browser-sessions/session-cookie.ts';
import { OWNER } from '../running-service.ts';
import type { ContractOperation, Json } from './contract.ts';
import { NEW_PASSWORD, type Fixture, type PreparedProject, type World } from './world.ts';

type Body = { [key: string]: Json };

type Each = (world: World, project: PreparedProject) => Promise<Partial<Fixture>>;
type Fit = (body: Body, fixture: Fixture) => Json;

/** What an operation needs that the document does not tell. */
export interface Preparation {
  /** Makes what a request uses up; comes before each request. */
  readonly each?: Each;
  /** Makes a body that fits the schema one that this fixture accepts. */
  readonly fit?: Fit;
  /** Hashes passwords, so that fewer requests must do. */
  readonly slow?: true;
}

const project = ({ projectId }: PreparedProject) => `projects/${projectId}`;
const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString();
const DAY_MS = 86_400_000;
/** A step of a generation takes longer than to ask for it. */
const POLL_MS = 60;
const MAX_AHEAD_DAYS = 700;

/** A draft of the project. */
async function newBlog(world: World, of: PreparedProject, state: 'draft' | 'published' = 'draft'): Promise<string> {
  const { body } = await world.made('POST', `${project(of)}/blogs`, { json: { title: 'Fresh' } });
  if (state === 'published') await world.made('POST', `${project(of)}/blogs/${body.id}/publish`);
  return body.id;
}
const freshBlog =
  (state: 'draft' | 'published'): Each =>
  async (world, of) => ({ ids: { blogId: await newBlog(world, of, state) } });

/** A draft that can be translated. */
async function newOriginal(world: World, of: PreparedProject) {
  const { body } = await world.made('POST', `${project(of)}/blogs`, { json: { title: 'Fresh', language: 'en' } });
  return { ids: { blogId: body.id as string } };
}

const freshAccount: Each = async (world) => {
  const { id, token, password, email, refreshToken } = await world.newAccount();
  return { token, ids: { accountId: id }, facts: { password, email, refreshToken } };
};

const freshCookie: Each = async (world) => {
  const { refreshToken } = await world.newAccount();
  return { headers: { cookie: `${SESSION_COOKIE}=${refreshToken}` } };
};

const asMember: Each = async (world, of) => {
  const { id: accountId, email, token } = await world.other();
  const { body } = await world.tried('POST', `${project(of)}/members`, { json: { email, role: 'editor' } });
  await world.tried('POST', `account/invitations/${body.id}/accept`, { token });
  return { ids: { accountId } };
};

/** An invitation to the project, which the one who asks has got or, as an owner of the project, has made. */
const invited =
  (who: 'owner' | 'invited'): Each =>
  async (world, of) => {
    const { id, email, token } = await world.other();
    await world.tried('DELETE', `${project(of)}/members/${id}`);
    const { body } = await world.made('POST', `${project(of)}/members`, { json: { email, role: 'editor' } });
    return { ...(who === 'invited' && { token }), ids: { invitationId: body.id } };
  };

/** Markdown of the longest length makes HTML that is longer than the limit. */
const cut = (markdown: Json): string => JSON.stringify(markdown).slice(1, 1_000);

/** A publication date within its bounds; one that may lie ahead is within those of a schedule. */
const fitDate =
  (maxAheadDays: number): Fit =>
  (body) => {
    const { published_at: given } = body;
    if (typeof given !== 'string') return body;
    const days = (new Date(given).getUTCMilliseconds() % MAX_AHEAD_DAYS) + 1;
    return { ...body, published_at: isoIn(days <= maxAheadDays ? days * DAY_MS : -days * DAY_MS) };
  };

/**
 * One of content and content_markdown; a language tag; slugs and translation keys that no other blog has; neither data
 * nor authors, which a new project has none of.
 */
const fitBlog: Fit = ({ content_markdown: markdown, ...body }, fixture) => ({
  ...(fitDate(0)(body, fixture) as Body),
  ...(body['language'] !== undefined && { language: 'de' }),
  ...(body['translation_key'] !== undefined && { language: 'de', translation_key: randomUUID() }),
  ...(body['data'] !== undefined && { data: {} }),
  ...(body['authors'] !== undefined && { authors: [] }),
  ...(markdown !== undefined && body['content'] === undefined && { content_markdown: cut(markdown) }),
  ...(body['slug'] !== undefined && { slug: `s-${randomUUID()}` }),
});

const fitBlogIds: Fit = ({ blog_ids: ids }, { ids: { blogId } }) => ({
  blog_ids: [blogId ?? '', ...(ids as string[]).slice(1)],
});

/** Names and choices once, and of each kind only what it needs. */
const fitDataFields: Fit = ({ fields }) => ({
  fields: (fields as Body[]).map((field, index) => ({
    ...field,
    name: `field_${index}`,
    choices: field['kind'] === 'choice' ? [`${index}`, `${index} too`] : [],
    json_schema: field['kind'] === 'json' ? { type: 'string' } : null,
  })),
});

/** Slugs that no other author has, and addresses as most people have them; nobody's account, as few are members. */
const fitAuthor: Fit = (body) => ({
  ...body,
  ...(body['slug'] !== undefined && { slug: `s-${randomUUID()}` }),
  ...(typeof body['email'] === 'string' && { email: 'ada@example.com' }),
  ...(body['account_id'] !== undefined && { account_id: null }),
});

const newAuthor: Each = async (world, of) => {
  const { body } = await world.made('POST', `${project(of)}/authors`, { json: { name: 'Ada' } });
  return { ids: { authorId: body.id } };
};

/** Words and terms once, and in one list. */
const fitBrandVoice: Fit = ({ words_to_use: use, words_to_avoid: avoid, glossary, ...body }) => ({
  ...body,
  ...(use !== undefined && { words_to_use: (use as string[]).map((_word, index) => `use ${index}`) }),
  ...(avoid !== undefined && { words_to_avoid: (avoid as string[]).map((_word, index) => `avoid ${index}`) }),
  ...(glossary !== undefined && {
    glossary: (glossary as Body[]).map((entry, index) => ({ ...entry, term: `term ${index}` })),
  }),
});

const fitExpiry: Fit = (body) =>
  typeof body['expires_at'] === 'string' ? { ...body, expires_at: isoIn(DAY_MS) } : body;

const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  releaseAlias: {
    each: async (world, of) => {
      const blogId = await newBlog(world, of, 'published');
      const blog = `${project(of)}/blogs/${blogId}`;
      const slug: string = (await world.made('GET', blog)).body.slug;
      await world.made('PATCH', blog, { json: { slug: `s-${randomUUID()}` } });
      await world.made('POST', `${blog}/publish`);
      return { ids: { blogId, slug } };
    },
  },
  signIn: { slow: true, fit: () => OWNER },
  signOut: { slow: true, each: freshAccount },
  refreshSession: {
    slow: true,
    each: freshAccount,
    fit: (_body, { facts }) => ({ refresh_token: facts['refreshToken'] ?? '' }),
  },
  signInBrowser: { slow: true, fit: () => OWNER },
  acceptInvitationInBrowser: {
    slow: true,
    each: async (world) => ({ facts: { invitation: (await world.invite()).token } }),
    fit: (body, { facts }) => ({ ...body, token: facts['invitation'] ?? '' }),
  },
  refreshBrowserSession: { slow: true, each: freshCookie },
  signOutBrowser: { slow: true, each: freshCookie },
  signOutEverywhere: { slow: true, each: freshAccount },
  endSession: {
    slow: true,
    each: async (world) => {
      const { token } = await world.newAccount();
      const { body } = await world.made('GET', 'account/sessions', { token });
      return { token, ids: { sessionId: body.items[0].id } };
    },
  },
  changePassword: {
    slow: true,
    each: freshAccount,
    fit: (_body, { facts }) => ({ current_password: facts['password'] ?? '', new_password: NEW_PASSWORD }),
  },
  resetPassword: {
    slow: true,
    each: async (world) => {
      const { id } = await world.newAccount();
      const { body } = await world.made('POST', `accounts/${id}/password-resets`);
      return { facts: { reset: body.token } };
    },
    fit: (body, { facts }) => ({ ...body, token: facts['reset'] ?? '' }),
  },
  // More than three for the same address are refused, and so are very many of this network.
  askForPasswordReset: { slow: true, fit: () => ({ email: `${randomUUID()}@example.com` }) },
  deleteAccount: {
    slow: true,
    each: async (world) => ({ ids: { accountId: (await world.newAccount()).id } }),
  },
  createPasswordReset: { each: async (world) => ({ ids: { accountId: (await world.other()).id } }) },
  setAccountQuotas: { each: async (world) => ({ ids: { accountId: (await world.other()).id } }) },
  createInvitation: {
    fit: (_body, { ids }) => ({
      email: `${randomUUID()}@example.com`,
      project_id: ids['projectId'] ?? '',
      role: 'editor',
    }),
  },
  deleteInvitation: { each: async (world) => ({ ids: { invitationId: (await world.invite()).id } }) },
  acceptInvitation: {
    slow: true,
    each: async (world) => ({ facts: { invitation: (await world.invite()).token } }),
    fit: (body, { facts }) => ({ ...body, token: facts['invitation'] ?? '' }),
  },
  deleteProject: {
    each: async (world) => {
      const { body } = await world.made('POST', 'projects', { json: { name: 'Short-lived' } });
      return { ids: { projectId: body.id } };
    },
  },
  addMember: {
    each: async (world, of) => {
      const { id, email } = await world.other();
      await world.tried('DELETE', `${project(of)}/members/${id}`);
      return { facts: { email } };
    },
    fit: (body, { facts }) => ({ ...body, email: facts['email'] ?? '' }),
  },
  withdrawMemberInvitation: { each: invited('owner') },
  acceptReceivedInvitation: { each: invited('invited') },
  declineReceivedInvitation: { each: invited('invited') },
  updateMember: { each: asMember },
  removeMember: { each: asMember },
  createAgentKey: { fit: fitExpiry },
  updateAgentKey: { fit: fitExpiry },
  revokeAgentKey: {
    each: async (world, of) => {
      const { body } = await world.made('POST', `${project(of)}/agent-keys`, { json: { name: 'Short-lived' } });
      return { ids: { agentKeyId: body.id } };
    },
  },
  createBlog: { fit: fitBlog },
  updateBlog: { fit: fitBlog },
  createTranslation: { each: newOriginal, fit: () => ({ language: 'de' }) },
  confirmTranslation: {
    each: async (world, of) => {
      const { ids } = await newOriginal(world, of);
      const translations = `${project(of)}/blogs/${ids.blogId}/translations`;
      const { body } = await world.made('POST', translations, { json: { language: 'de' } });
      return { ids: { blogId: body.id }, facts: { source: ids.blogId } };
    },
    fit: (_body, { facts }) => ({ blog_id: facts['source'] ?? '' }),
  },
  deleteBlog: { each: freshBlog('published') },
  publishBlog: { each: freshBlog('draft'), fit: fitDate(MAX_AHEAD_DAYS / 2) },
  syncBlog: { each: freshBlog('published'), fit: fitDate(0) },
  unpublishBlog: { each: freshBlog('published') },
  publishBlogs: { fit: fitBlogIds },
  unpublishBlogs: { each: freshBlog('published'), fit: fitBlogIds },
  scheduleBlog: {
    fit: ({ publish_at: given }) => ({
      publish_at: isoIn((1 + (new Date(given as string).getUTCMilliseconds() % MAX_AHEAD_DAYS)) * DAY_MS),
    }),
  },
  unscheduleBlog: {
    each: async (world, of) => {
      const json = { publish_at: isoIn(DAY_MS) };
      await world.tried('PUT', `${project(of)}/blogs/${of.blogId}/schedule`, { json });
      return {};
    },
  },
  // More than may be under way are refused: each ends before the next is asked for.
  generateBlog: { each: (world, of) => newGeneration(world, of).then(() => ({})) },
  // Addresses are looked up, and there is no DNS.
  setGenerationSettings: { fit: ({ base_url: _url, model: _model, ...rest }) => rest },
  // Addresses cannot be made by chance: the one that is saved is tried.
  testGenerationModel: { each: (world, of) => newModel(world, of), fit: () => ({}) },
  getGeneration: { each: (world, of) => newGeneration(world, of) },
  watchGeneration: { each: (world, of) => newGeneration(world, of) },
  cancelGeneration: { each: (world, of) => newGeneration(world, of, 'under way') },
  getImage: { each: (world, of) => newImage(world, of) },
  updateImage: { each: (world, of) => newImage(world, of) },
  deleteImage: { each: (world, of) => newImage(world, of) },
  listImageUses: { each: (world, of) => newImage(world, of) },
  createAuthor: { fit: fitAuthor },
  getAuthor: { each: newAuthor },
  updateAuthor: { each: newAuthor, fit: fitAuthor },
  deleteAuthor: { each: newAuthor },
  setDataFields: { fit: fitDataFields },
  setBrandVoice: { fit: fitBrandVoice },
  setAutopilot: {
    fit: (body) => ({
      ...body,
      time_zone: 'Europe/Berlin',
      per_week: body['per_week'] === null ? null : 1,
      // Nothing is due while the tests run, and nothing goes out.
      enabled: false,
    }),
  },
  pauseAutopilot: { each: (world, of) => newAutopilot(world, of) },
  resumeAutopilot: { each: (world, of) => newAutopilot(world, of) },
  importAutopilotTopics: { fit: () => ({ csv: 'topic,keyword\nTea,tea\n' }) },
  updateAutopilotTopic: { each: (world, of) => newTopic(world, of) },
  moveAutopilotTopic: { each: (world, of) => newTopic(world, of), fit: () => ({ before: null }) },
  deleteAutopilotTopic: { each: (world, of) => newTopic(world, of) },
  // Only links are proposed without a model.
  createProposal: {
    fit: (body) => ({ ...body, kind: 'links', ...(body['language'] !== undefined && { language: 'de' }) }),
  },
  getProposal: { each: (world, of) => newProposal(world, of) },
  acceptProposal: { each: (world, of) => newProposal(world, of), fit: () => ({}) },
  rejectProposal: { each: (world, of) => newProposal(world, of) },
  getImport: { each: (world, of) => newImport(world, of) },
  listImportFiles: { each: (world, of) => newImport(world, of) },
  getImportReport: { each: (world, of) => newImport(world, of) },
};

/** What the operation needs; the agent API's operations need what the owner API's of the same name do. */
export function preparationOf({ id, credential }: ContractOperation): Preparation {
  const name = credential === 'agentKey' ? id.replace(/^agent(.)/, (_all, first: string) => first.toLowerCase()) : id;
  return PREPARATIONS[name] ?? {};
}

/** What is there in a prepared project, by path parameter. */
export function idsOf({ projectId, blogId, publishId, agentKeyId }: PreparedProject): Record<string, string> {
  return { projectId, blogId, publishId, agentKeyId, number: '1' };
}

async function newImage(world: World, of: PreparedProject): Promise<Partial<Fixture>> {
  const background = `#${randomUUID().slice(0, 6)}`;
  const body = await sharp({ create: { width: 3, height: 2, channels: 3, background } })
    .png()
    .toBuffer();
  const answer = await world.made('POST', `${project(of)}/images`, { body, headers: { 'content-type': 'image/png' } });
  return { ids: { imageId: answer.body.id } };
}

async function newImport(world: World, of: PreparedProject): Promise<Partial<Fixture>> {
  const body = await archiveOf([{ path: 'post.md', text: '---\ntitle: Imported\n---\nText' }]);
  const answer = await world.made('POST', `${project(of)}/imports`, {
    body,
    headers: { 'content-type': 'application/zip' },
  });
  return { ids: { importId: answer.body.id } };
}

/** A model that answers a test. */
async function newModel(world: World, of: PreparedProject): Promise<Partial<Fixture>> {
  const json = { base_url: world.modelUrl, model: 'test-model' };
  await world.made('PUT', `${project(of)}/generation-settings`, { json });
  return {};
}

/** An autopilot that is on, with no topic. */
async function newAutopilot(world: World, of: PreparedProject): Promise<Partial<Fixture>> {
  const json = { enabled: true, time_zone: 'UTC', days: ['mon'], times: ['09:00'] };
  await world.made('PUT', `${project(of)}/autopilot`, { json });
  return {};
}

async function newTopic(world: World, of: PreparedProject): Promise<Partial<Fixture>> {
  const json = { topics: [{ topic: 'Tea' }] };
  const { body } = await world.made('POST', `${project(of)}/autopilot/topics`, { json });
  return { ids: { topicId: body.items[0].id } };
}

/** A generation that has ended, or one that has just begun. */
async function newGeneration(
  world: World,
  of: PreparedProject,
  how: 'ended' | 'under way' = 'ended',
): Promise<Partial<Fixture>> {
  const { body } = await world.made('POST', `${project(of)}/blogs/generate`, {
    json: { topic: 'Tea', outline: ['A'] },
  });
  const ids = { generationId: body.id };
  while (how === 'ended') {
    const { body: job } = await world.made('GET', `${project(of)}/generations/${body.id}`);
    if (job.finished_at !== null) break;
    await sleep(POLL_MS);
  }
  return { ids };
}

/** An open proposal of links for a new blog. */
async function newProposal(world: World, of: PreparedProject): Promise<Partial<Fixture>> {
  const title = `Proposed ${randomUUID()}`;
  const { body: target } = await world.made('POST', `${project(of)}/blogs`, { json: { title } });
  await world.made('POST', `${project(of)}/blogs/${target.id}/publish`);
  const json = { title: 'Fresh', content: `<p>${title}</p>` };
  const { body: blog } = await world.made('POST', `${project(of)}/blogs`, { json });
  const asked = { json: { kind: 'links' } };
  const { body } = await world.made('POST', `${project(of)}/blogs/${blog.id}/proposals`, asked);
  for (;;) {
    const { body: job } = await world.made('GET', `${project(of)}/generations/${body.id}`);
    if (job.proposal_id !== null) return { ids: { blogId: blog.id, proposalId: job.proposal_id } };
    await sleep(POLL_MS);
  }
}

/** A ZIP archive. */
export async function archiveOf(files: readonly { readonly path: string; readonly text: string }[]): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const { path, text } of files) archive.addBuffer(Buffer.from(text), path);
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
