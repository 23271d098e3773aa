import { Router, type RequestHandler } from 'express';
import { requireAdministratorSession } from './access.ts';
import { createParkedEventRoutes } from './parked-event-routes.ts';
import { jsonBody } from './requests/json-body.ts';
import { refuseFields, refuseOtherMethods } from './requests/operations.ts';

const MAX_BODY_BYTES = 4 * 1024;

/**
 * The router of what a service tells the administrator alone of all projects, with its parked events.
 *
 * @param operations those of the router
 * @param requireSession puts the signed-in account into `response.locals.account`, or answers 401
 */
export function createOperatorRouter(
  operations: Parameters<typeof refuseFields>[0],
  requireSession: RequestHandler,
  parkedEvents: Parameters<typeof createParkedEventRoutes>[0],
): Router {
  const routes = Router();
  routes.use(refuseOtherMethods(operations), requireSession, requireAdministratorSession);
  routes.use(jsonBody(MAX_BODY_BYTES), refuseFields(operations));
  routes.use('/parked-events', createParkedEventRoutes(parkedEvents));
  return routes;
}
