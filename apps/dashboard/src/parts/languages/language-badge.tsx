import { Badge } from '../looks/badge.tsx';
import { fullLanguageName, languageName } from './language-names.ts';

/**
 * Tells posts in several languages apart: the tag, read out as the language’s name. Nothing for a post without one. In a
 * text, it has its own space before it.
 */
export function LanguageBadge({ language }: { language: string | null }) {
  if (language === null) return null;
  return (
    <>
      {' '}
      <span role="img" aria-label={languageName(language)} title={fullLanguageName(language)} style={{ flex: 'none' }}>
        <Badge>{language}</Badge>
      </span>
    </>
  );
}
