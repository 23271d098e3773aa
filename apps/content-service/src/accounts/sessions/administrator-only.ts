import { forbidden } from '@blog-content/service-runtime';
import type { RequestHandler } from 'express';
import { signedInOf } from './require-live-session.ts';

/** Lets only the administrator pass, after `requireLiveSession`. */
export const administratorOnly: RequestHandler = (_request, response, next) => {
  if (!signedInOf(response).isAdministrator) throw forbidden('Only the administrator can do this.');
  next();
};
