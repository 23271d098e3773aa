import { brandVoiceRequest, type brandVoice } from '@blog-content/payload-schemas';
import { parseBody } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { BrandVoice, BrandVoiceStore } from './brand-voice-store.ts';

export interface BrandVoiceRoutesDependencies {
  readonly brandVoices: BrandVoiceStore;
}

export const brandVoiceResource = ({ brandVoices: documents }: BrandVoiceRoutesDependencies) => ({
  path: '/brand-voice',
  name: 'brand voice',
  documents,
  parse: (body: unknown) => parseBody(brandVoiceRequest, body),
  show: showBrandVoice,
});

export function showBrandVoice({ document, version, updatedAt }: BrandVoice): z.infer<typeof brandVoice> {
  return { version, ...document, updated_at: updatedAt?.toISOString() ?? null };
}
