import {
  blogGenerateRequest,
  GENERATION_LIMITS,
  type AutopilotSettings,
  type BlogGenerateRequest,
} from '@blog-content/payload-schemas';

/** What is known of a topic. */
interface TopicText {
  readonly topic: string;
  readonly keyword: string | null;
  readonly instructions: string | null;
  readonly sources: readonly string[];
}

const ORIGIN = /^autopilot:([0-9a-f-]{36})$/;

/** What the job of a topic names as what asked for it. */
export const originOf = (topicId: string): string => `autopilot:${topicId}`;

/** The topic that a job was made for; null for any other job. */
export const topicIdOf = (origin: string | null): string | null => ORIGIN.exec(origin ?? '')?.[1] ?? null;

/** What is to be written of a topic, with the defaults of the autopilot. */
export function requestOf(
  { topic, keyword, instructions, sources }: TopicText,
  { instructions: general, ...defaults }: AutopilotSettings['defaults'],
): BlogGenerateRequest {
  const texts = [general, instructions].filter((text) => text).join('\n\n');
  return blogGenerateRequest.parse({
    ...defaults,
    topic,
    ...(keyword !== null && { keyword }),
    ...(texts !== '' && { instructions: texts.slice(0, GENERATION_LIMITS.instructionsLength).trim() }),
    sources: sources.map((url) => ({ url })),
  });
}
