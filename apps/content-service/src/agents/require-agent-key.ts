import { changesSomething, projectSuspended, unauthorized } from '@blog-content/service-runtime';
import type { RequestHandler } from 'express';
import type { AgentKeyStore } from './agent-key-store.ts';

const BEARER = /^Bearer +(sk_agent_[0-9A-Za-z]{40}) *$/i;

/**
 * Lets only requests with a valid agent key (`Authorization: Bearer sk_agent_…`) pass, as the caller of the key's
 * project. What an agent asks for is `autopilot`. Public keys and owner sessions are refused like any other text
 * (contract §5.1.7).
 */
export function requireAgentKey(agentKeys: Pick<AgentKeyStore, 'identify'>): RequestHandler {
  return async (request, response, next) => {
    const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const agent = key === undefined ? null : await agentKeys.identify(key);
    if (agent === null) {
      throw unauthorized('A valid agent key is required as a bearer token: `Authorization: Bearer sk_agent_…`.');
    }
    const { id, projectId, createdBy: accountId, permission, isSuspended } = agent;
    response.locals.caller = { projectId, id, accountId, trigger: 'autopilot', permission };
    response.locals.isSuspended = isSuspended;
    response.locals.log['agent_key_id'] = id;
    response.locals.log['project_id'] = projectId;
    next();
  };
}

/** Refuses an agent's changes of a suspended project, after {@link requireAgentKey}. */
export const refuseSuspended: RequestHandler = (request, response, next) => {
  if (response.locals.isSuspended === true && changesSomething(request)) throw projectSuspended();
  next();
};
