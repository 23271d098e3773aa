import { badRequest, methodNotAllowed, notFound, type Logger } from '@blog-content/service-runtime';
import { Router, type RequestHandler, type Response } from 'express';
import { createBlogActions } from '../blogs/writing/blog-actions.ts';
import { callerOf } from '../platform/http/caller.ts';
import { answerAs, BOTH_TYPES, onlyTypeOf, type OnlyType } from './accepted-types.ts';
import type { ToolRequest } from './build-server.ts';
import { createBrandTools, type BrandToolsDependencies } from './brand-tools.ts';
import { createLinkTools } from './link-tools.ts';
import { createMakingTools, type MakingToolsDependencies } from './making-tools.ts';
import { createPostTools, type PostToolsDependencies } from './post-tools.ts';
import { createTranslationTools, type TranslationToolsDependencies } from './translation-tools.ts';

export type McpDependencies = PostToolsDependencies &
  MakingToolsDependencies &
  BrandToolsDependencies &
  TranslationToolsDependencies & { readonly version: string; readonly logger: Logger };

/**
 * `/mcp`: the agent API as tools, resources and prompts of the Model Context Protocol, over streamable HTTP without
 * sessions. Comes after the middleware that lets only agents pass and the one that reads the body.
 */
export function createMcpRoutes(dependencies: McpDependencies): Router {
  const routes = Router();
  // A stream of notifications, and the end of a session: there are none.
  routes.all('/', onlyPost);
  let handler: Promise<RequestHandler> | undefined;
  routes.post('/', async (req, res, next) => {
    // One message is one write of the agent.
    if (Array.isArray(req.body)) throw badRequest('Send one JSON-RPC message per request.');
    if (req.body === undefined) throw badRequest('Send a JSON-RPC message as application/json.');
    await (
      await (handler ??= createHandler(dependencies))
    )(req, res, next);
  });
  routes.use((_req, _res, next) => {
    next(notFound('Not found. The tools are at /mcp.'));
  });
  return routes;
}

const refuseMethod = methodNotAllowed('POST');
const onlyPost: RequestHandler = (req, res, next) => {
  if (req.method === 'POST') next();
  else refuseMethod(req, res, next);
};

/** The protocol's packages are loaded with the first request. */
async function createHandler(dependencies: McpDependencies): Promise<RequestHandler> {
  const [{ createMcpHandler }, { toNodeHandler }, { buildServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/node'),
    import('./build-server.ts'),
  ]);
  const { logger, version } = dependencies;
  const parts = {
    tools: [createPostTools, createLinkTools, createMakingTools, createBrandTools, createTranslationTools].flatMap(
      (create) => create(dependencies),
    ),
    writing: createBlogActions(dependencies),
    version,
  };
  // Nobody is told of changes, so there is nothing to wait for.
  const tools = createMcpHandler(({ authInfo }) => buildServer(parts, authInfo?.extra?.['request'] as ToolRequest), {
    maxSubscriptions: 0,
  });
  const handlerFor = (type: OnlyType) =>
    toNodeHandler({ fetch: async (request, options) => answerAs(type, await tools.fetch(request, options)) });
  return async (req, res) => {
    const only = onlyTypeOf((type) => req.accepts(type));
    if (only !== undefined) req.headers.accept = BOTH_TYPES;
    const handler = handlerFor(only ?? null);
    const request = toolRequest(res, logger);
    // The way in which the protocol's package hands on who asks; it is given no credential.
    const auth = { token: '', clientId: request.caller.id, scopes: [], extra: { request } };
    await handler(Object.assign(req, { auth }), res, req.body);
  };
}

function toolRequest(res: Response, logger: Logger): ToolRequest {
  const { locals } = res;
  return {
    caller: callerOf(res),
    isSuspended: locals.isSuspended === true,
    requestId: locals.requestId,
    logger: locals.logger ?? logger,
    note: (name, value) => {
      locals.log[name] = value;
    },
  };
}
