import type { ProposalKind, ProposalRequest } from '../../../generated/types.gen.ts';

export interface ProposalFields {
  readonly kind: ProposalKind;
  readonly heading: string;
  readonly language: string;
  readonly length: number;
  readonly instructions: string;
}

/** The field that a kind needs besides the instructions. */
export const NEEDS: Readonly<Record<ProposalKind, 'heading' | 'language' | 'length' | null>> = {
  titles: null,
  meta: null,
  tags: null,
  links: null,
  alt_text: null,
  shorten: 'length',
  rewrite_section: 'heading',
  translate: 'language',
  update_translation: null,
};

/** What is asked of the service: only what the kind takes; null while something is missing. */
export function proposalRequest({
  kind,
  heading,
  language,
  length,
  instructions,
}: ProposalFields): ProposalRequest | null {
  const given = instructions.trim();
  const common = { kind, ...(given !== '' && { instructions: given }) };
  switch (NEEDS[kind]) {
    case 'heading':
      return heading === '' ? null : { ...common, heading };
    case 'language':
      return language.trim() === '' ? null : { ...common, language: language.trim() };
    case 'length':
      return Number.isInteger(length) && length > 0 ? { ...common, length } : null;
    case null:
      return common;
  }
}
