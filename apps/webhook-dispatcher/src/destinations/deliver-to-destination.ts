import { destinationParts } from '@blog-content/payload-schemas';
import { ZodError } from 'zod';
import { linkLive, MAX_LIVE_LINKS } from '../payload/link-live.ts';
import type { ScarceWork } from '../concurrency/scarce-work.ts';
import type { Lease, NotSent, Outcome, WebhookRequest } from '../http/exchange.ts';
import { describeExchange, type StoredExchange } from '../delivery-log/exchange.ts';
import type { SentBodyStore } from '../delivery-log/sent-body-store.ts';
import type {
  AskedPost,
  Destination,
  DestinationAction,
  DestinationPost,
  FoundPost,
  PlacedPost,
  Target,
} from './destination.ts';
import type { BlogAtTarget, DestinationStore, KnownPost } from './destination-store.ts';
import type { ConvertToMarkdown } from './devto/convert-in-thread.ts';
import type { FetchImage } from './fetch-image.ts';
import { createImageCopies, isKeepable } from './image-copies.ts';
import { comparable, isReusable } from './is-reusable.ts';
import { authorizationOf, openDestination, type ProviderApis } from './open-destination.ts';
import {
  createTargetClient,
  type Send,
  type TargetClient,
  type TargetExchange,
  TargetFailure,
} from './target-client.ts';

/** One attempt at it. */
export interface DestinationWork {
  readonly target: Target;
  readonly blogId: string;
  readonly deliveryId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly action: DestinationAction;
  readonly connection: WebhookRequest['connection'];
}

export interface DestinationDependencies {
  readonly store: DestinationStore;
  readonly bodies: Pick<SentBodyStore, 'keep'>;
  readonly send: Send;
  readonly fetchImage: FetchImage;
  readonly imageQueue: ScarceWork['images'];
  readonly userAgent: string;
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly apis: ProviderApis;
  readonly convertToMarkdown: ConvertToMarkdown;
}

/** The outcome of an attempt: that of the deciding one of its requests. */
export interface DestinationResult {
  readonly outcome: Outcome | NotSent;
  readonly exchange: StoredExchange | null;
  /** Where the post is; null where none is shown. */
  readonly placed: PlacedPost | null;
}

/** Brings a blog to a system. Rejects when the database is away: the attempt then counts as interrupted. */
export async function deliverToDestination(
  work: DestinationWork,
  lease: Lease,
  dependencies: DestinationDependencies,
): Promise<DestinationResult> {
  const client = clientOf(work.target, work, lease, dependencies);
  const destination = await open(work.target, client, lease, dependencies);
  return settle(client, dependencies, () => act(work, destination, client, dependencies));
}

/** Asks whether a system can be written into. */
export async function testDestination(
  target: Target,
  deliveryId: string,
  lease: Lease,
  dependencies: DestinationDependencies,
): Promise<DestinationResult & { readonly hint: string | null }> {
  const client = clientOf(target, { deliveryId, connection: 'close' }, lease, dependencies);
  const destination = await open(target, client, lease, dependencies);
  let hint: string | null = null;
  const result = await settle(client, dependencies, async () => {
    hint = await destination.test();
    return null;
  });
  return { ...result, hint };
}

function clientOf(
  target: Target,
  { deliveryId, connection }: Pick<DestinationWork, 'deliveryId' | 'connection'>,
  lease: Lease,
  { send, userAgent, timeoutMs, now }: DestinationDependencies,
): TargetClient {
  const { kind, secret } = target;
  const authorization = authorizationOf(target, now);
  const options = { kind, secret, authorization, userAgent, deliveryId, connection, timeoutMs, now };
  return createTargetClient({ send, lease, ...options });
}

function open(
  target: Target,
  client: TargetClient,
  lease: Lease,
  dependencies: DestinationDependencies,
): Promise<Destination> {
  const copies = createImageCopies(target, lease, { ...dependencies, queue: dependencies.imageQueue });
  return openDestination(target, client, copies, { ...dependencies, lease });
}

/** Does it, and returns the outcome as an exchange. */
async function settle(
  client: TargetClient,
  { bodies }: Pick<DestinationDependencies, 'bodies'>,
  run: () => Promise<PlacedPost | null>,
): Promise<DestinationResult> {
  try {
    const placed = await run();
    const decisive = client.decisive;
    if (decisive === null) return { outcome: { kind: 'nothing_to_do' }, exchange: null, placed };
    // A status that was expected, such as the 404 of a post that is to go, is no failure.
    const outcome = succeeded(decisive.outcome);
    return { outcome, exchange: await toStored(decisive, bodies), placed };
  } catch (error) {
    const failure = error instanceof ZodError ? client.unexpected() : error;
    if (!(failure instanceof TargetFailure)) throw failure;
    const { outcome, exchange } = failure;
    return { outcome, exchange: exchange && (await toStored(exchange, bodies)), placed: null };
  }
}

function succeeded(outcome: Outcome): Outcome {
  if (outcome.kind !== 'answered' || outcome.statusCode <= 299) return outcome;
  return { kind: 'nothing_to_do' };
}

async function toStored(
  { prepared, outcome }: TargetExchange,
  bodies: Pick<SentBodyStore, 'keep'>,
): Promise<StoredExchange | null> {
  const isJson = prepared.request.headers['content-type'] === 'application/json';
  return describeExchange(prepared, outcome, isJson ? await bodies.keep(prepared.request.body) : null);
}

async function act(
  { target, blogId, attempt, action }: DestinationWork,
  destination: Destination,
  client: Pick<TargetClient, 'declined'>,
  { store, now }: Pick<DestinationDependencies, 'store' | 'now'>,
): Promise<PlacedPost | null> {
  const blog: BlogAtTarget = { integrationId: target.integrationId, blogId };
  const at: AtTarget = { blog, destination, store, client };
  if (action.kind === 'show') {
    const linked = await withLiveLinks(action.post, target, store);
    const authors = await store.authorsOf(target.projectId, linked.extras.authors);
    const post = await rendered({ ...linked, authors }, destination);
    const placed = await show(post, { ...at, known: await findKnown(at), isRetry: attempt > 1, now });
    checkId(placed, client);
    await store.keep(blog, placed, action.post);
    return placed;
  }
  const known = await findKnown(at);
  const takeAway = (id: string) => (action.kind === 'hide' ? destination.unpublish(id) : destination.delete(id));
  if (known !== null && (known.postId === null || !(await takeAway(known.postId)))) {
    const found = await findAsked({ ...known, canonicalUrl: null }, at);
    if (found !== null) await takeAway(found.id);
  }
  if (action.kind === 'delete') await store.forget(blog);
  return null;
}

/**
 * What is known of the blog. At another address its id may belong to another author's post, which has another title.
 */
async function findKnown({ blog, destination, store }: AtTarget): Promise<KnownPost | null> {
  const known = await store.find(blog);
  if (known === null || known.postId === null || !known.moved || destination.titleOf === undefined) return known;
  const title = await destination.titleOf(known.postId);
  return title !== null && comparable(title) === comparable(known.title) ? known : { ...known, postId: null };
}

/** The post with links to where the system has the others, when its owner wants that. */
async function withLiveLinks(
  post: DestinationPost,
  { kind, integrationId, settings }: Target,
  store: Pick<DestinationStore, 'findLive'>,
): Promise<DestinationPost> {
  const { links } = destinationParts[kind].settings.parse(settings);
  if (links !== 'live' || post.linkTargets.length === 0) return post;
  const live = await store.findLive(integrationId, post.linkTargets.slice(0, MAX_LIVE_LINKS));
  return { ...post, content: linkLive(post.content, post.linkTargets, live) };
}

async function rendered(post: DestinationPost, destination: Destination): Promise<DestinationPost> {
  return destination.render === undefined ? post : { ...post, content: await destination.render(post.content) };
}

/** What a system calls a post is kept, and the post is known by it: nonsense fails the attempt. */
function checkId({ id }: PlacedPost, client: Pick<TargetClient, 'declined'>): void {
  if (!isKeepable(id)) throw client.declined('The destination did not return the post’s ID.');
}

interface AtTarget {
  readonly blog: BlogAtTarget;
  readonly destination: Destination;
  readonly store: DestinationStore;
  readonly client: Pick<TargetClient, 'declined'>;
}

interface ShowRequest extends AtTarget {
  readonly known: KnownPost | null;
  readonly isRetry: boolean;
  readonly now: () => Date;
}

/**
 * Updates the post that is known, or makes one. What was asked for and not recorded may be there all the same: before
 * another is made it is looked for by slug, whether the attempt is a retry or the first one after somebody died
 * (contract §6.7).
 */
async function show(post: DestinationPost, { known, isRetry, now, ...at }: ShowRequest): Promise<PlacedPost> {
  const { blog, destination, store } = at;
  if (known !== null && known.postId !== null) {
    const updated = await destination.update(known.postId, post);
    if (updated !== null) return updated;
  }
  if (known !== null || isRetry) {
    const { slug, title, askedAt } = known ?? { ...post, askedAt: now() };
    const found = await findAsked({ slug, title, askedAt, canonicalUrl: post.canonicalUrl }, at);
    if (found !== null) {
      await store.keep(blog, found, post);
      const updated = await destination.update(found.id, post);
      if (updated !== null) return updated;
    }
  }
  await store.asking(blog, post);
  return destination.publish(post);
}

/** The post that was asked for, if it is there and no other blog's. */
async function findAsked(
  asked: AskedPost & Pick<KnownPost, 'askedAt'>,
  { blog, destination, store, client }: AtTarget,
): Promise<FoundPost | null> {
  for (const found of await destination.findBySlug(asked)) {
    checkId(found, client);
    if (isReusable(found, asked) && !(await store.isOthers(blog, found.id))) return found;
  }
  return null;
}
