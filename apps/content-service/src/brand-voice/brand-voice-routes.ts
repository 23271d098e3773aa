import { brandVoiceRequest, type brandVoice } from '@blog-content/payload-schemas';
import {
  etagOf,
  notFound,
  parseBody,
  preconditionFailed,
  readIfMatch,
  requireProjectOwner,
} from '@blog-content/service-runtime';
import { Router, type Response } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { BrandVoice, BrandVoiceStore } from './brand-voice-store.ts';

export interface BrandVoiceRoutesDependencies {
  readonly brandVoices: BrandVoiceStore;
}

/** `GET /brand-voice` of a project, for members and agents. */
export function createBrandVoiceReading({ brandVoices }: BrandVoiceRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  routes.get('/brand-voice', async (_req, res) => {
    send(res, await brandVoices.find(callerOf(res).projectId));
  });
  return routes;
}

/** `PUT /brand-voice` of a project, for its owners. */
export function createBrandVoiceChanges({ brandVoices }: BrandVoiceRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  routes.put('/brand-voice', requireProjectOwner, async (req, res) => {
    const ifMatch = readIfMatch(req);
    const saved = await brandVoices.save(callerOf(res), parseBody(brandVoiceRequest, req.body), ifMatch);
    if (saved === 'no_project') throw notFound('Project not found.');
    if (saved === 'changed') throw preconditionFailed('brand voice');
    send(res, saved);
  });
  return routes;
}

export function showBrandVoice({ document, version, updatedAt }: BrandVoice): z.infer<typeof brandVoice> {
  return { version, ...document, updated_at: updatedAt?.toISOString() ?? null };
}

function send(response: Response, voice: BrandVoice): void {
  response.set('ETag', etagOf(voice.version)).json(showBrandVoice(voice));
}
