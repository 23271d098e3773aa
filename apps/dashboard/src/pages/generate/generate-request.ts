import type { BlogGenerateRequest } from '../../generated/types.gen.ts';
import { errorsIn } from '../../parts/explain-error.ts';
import { linesOf } from '../../parts/forms/lines-of.ts';
import { generation } from '../../strings/writing/generation.ts';

/** The form’s values. */
export interface GenerateFields {
  readonly topic: string;
  readonly keyword: string;
  readonly audience: string;
  readonly tone: string;
  readonly length: number;
  readonly language: string;
  /** A heading a line. */
  readonly outline: string;
  readonly instructions: string;
  /** An address a line. */
  readonly urls: string;
  readonly pasted: string;
  readonly pictures: boolean;
}

export const EMPTY_FIELDS: GenerateFields = {
  ...{ topic: '', keyword: '', audience: '', tone: '', instructions: '' },
  ...{ outline: '', urls: '', pasted: '' },
  length: 1000,
  language: 'en',
  pictures: false,
};

const OPTIONAL = ['keyword', 'audience', 'tone', 'instructions'] as const;

/** What is asked of the service: fields that are empty are left to it. */
export function generateRequest(asked: GenerateFields): BlogGenerateRequest {
  const given = OPTIONAL.map((name) => [name, asked[name].trim()] as const).filter(([, value]) => value !== '');
  const language = asked.language.trim();
  const outline = linesOf(asked.outline);
  const pasted = asked.pasted.trim();
  const sources = [...linesOf(asked.urls).map((url) => ({ url })), ...(pasted === '' ? [] : [{ text: pasted }])];
  return {
    topic: asked.topic.trim(),
    ...Object.fromEntries(given),
    length: asked.length,
    ...(language !== '' && { language }),
    ...(outline.length > 0 && { outline }),
    sources,
    pictures: asked.pictures,
  };
}

/** What was refused of the sources of `asked`, for the field of addresses and for that of the text. */
export function refusedSources(refused: Readonly<Record<string, string>>, asked: GenerateFields) {
  // The text is the last source.
  const text = `sources.${linesOf(asked.urls).length}.text`;
  const { [text]: pasted, ...ofUrls } = refused;
  return { pasted, urls: errorsIn('sources', ofUrls, generation.source) };
}
