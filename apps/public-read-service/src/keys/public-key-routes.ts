import type { publicKey } from '@blog-content/payload-schemas';
import { httpSurface } from '@blog-content/payload-schemas/http-surface';
import {
  conflict,
  jsonBody,
  methodNotAllowed,
  notFound,
  readId,
  refuseFields,
  requireProjectMember,
  requireProjectOwner,
} from '@blog-content/service-runtime';
import express, { type RequestHandler, type Response, type Router } from 'express';
import type { z } from 'zod';
import type { PublicKeyStore } from './public-key-store.ts';
import type { PublicKeys, RevealedKey } from './public-keys.ts';

export interface PublicKeyRoutesDependencies {
  readonly keys: PublicKeys;
  readonly store: Pick<PublicKeyStore, 'memberOf'>;
  /** Puts the signed-in account into `response.locals.account`, or answers 401. */
  readonly requireOwnerSession: RequestHandler;
}

type ProjectHandler = RequestHandler<{ projectId: string }>;

/** In one spelling: the key is sealed for it. */
const projectIdOf = ({ params }: { readonly params: { readonly projectId: string } }): string =>
  readId(params.projectId, 'project');

const PATH = '/blog/api/v1/owner/projects/:projectId/public-key';
/** Most bytes of a body. The operations take no fields, and refuse what comes with some. */
const MAX_KEY_BODY_BYTES = 1_024;
const NO_KEY = 'The project has no public key.';

/**
 * The operations on the public key: GET reveals, POST generates, POST `/rotate` replaces, DELETE revokes (contract
 * §5.1). Members of the project may reveal it, because it only reads what is public; only owners change it. To
 * everybody else it does not exist, and nothing is read of their bodies.
 */
export function publicKeyRoutes({ keys, store, requireOwnerSession }: PublicKeyRoutesDependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  // It looks at no parameter of the path, so it fits a path with any.
  const requireSession = requireOwnerSession as ProjectHandler;
  const requireMember = requireProjectMember((projectId, accountId) => store.memberOf(projectId, accountId), {
    hearsOfProjects: true,
  }) as ProjectHandler;
  const requireOwner = requireProjectOwner as ProjectHandler;
  const body = jsonBody(MAX_KEY_BODY_BYTES) as ProjectHandler;
  const noFields = refuseFields(httpSurface) as ProjectHandler;
  const change = [requireSession, requireMember, requireOwner, body, noFields];
  const reveal: ProjectHandler = async (request, response) => {
    const revealed = await keys.reveal(projectIdOf(request));
    if (!revealed) throw notFound(NO_KEY);
    sendKey(response, 200, revealed);
  };
  const generate: ProjectHandler = async (request, response) => {
    const revealed = await keys.generate(projectIdOf(request));
    if (!revealed) throw conflict('The project already has a public key. Rotate it to get a new one.');
    sendKey(response, 201, revealed);
  };
  const rotate: ProjectHandler = async (request, response) => {
    const revealed = await keys.rotate(projectIdOf(request));
    if (!revealed) throw notFound(NO_KEY);
    sendKey(response, 200, revealed);
  };
  const revoke: ProjectHandler = async (request, response) => {
    if (!(await keys.revoke(projectIdOf(request)))) throw notFound(NO_KEY);
    response.status(204).end();
  };

  router
    .route(PATH)
    .get(requireSession, requireMember, reveal)
    .post(change, generate)
    .delete(change, revoke)
    .all(methodNotAllowed('GET', 'HEAD', 'POST', 'DELETE'));
  router.route(`${PATH}/rotate`).post(change, rotate).all(methodNotAllowed('POST'));
  return router;
}

function sendKey(response: Response, status: number, { key, createdAt }: RevealedKey): void {
  const body: z.infer<typeof publicKey> = { public_key: key, created_at: createdAt.toISOString() };
  response.status(status).json(body);
}
