import { decodeHTML } from 'entities';
import type { FoundPost } from './destination.ts';

/** A post that was made so long before or after one was asked for is another one (contract §6.7, §8). */
export const DUPLICATE_WINDOW_MS = 35 * 60_000;

/** Whether a post that is there is the one that was asked for (contract §6.7): by its title, and when it was made. */
export function isReusable(found: FoundPost, asked: { readonly title: string; readonly askedAt: Date }): boolean {
  const apartMs = Math.abs(found.createdAt.getTime() - asked.askedAt.getTime());
  return apartMs <= DUPLICATE_WINDOW_MS && comparable(found.title) === comparable(asked.title);
}

/** Systems store titles as HTML, and trim them. */
export function comparable(title: string): string {
  return decodeHTML(title).replace(/\s+/g, ' ').trim();
}
