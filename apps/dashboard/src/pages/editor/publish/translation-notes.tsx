import { Text } from '@mantine/core';
import { Languages } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { languageName } from '../../../parts/languages/language-names.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import { useTranslations } from '../languages/use-translations.ts';
import styles from './publish.module.css';
import { unlinkedAmong } from './unlinked-among.ts';

/** What a publish of the post changes for its translations, and which of them have to be published again first. */
export function TranslationNotes({ blog }: { blog: Blog }) {
  const list = useTranslations(blog);
  const { added, others } = unlinkedAmong(list.data?.items ?? [], blog.id);
  if (added.length === 0 && others.length === 0) return null;
  return (
    <ul className={styles['list']} aria-label={text.translations}>
      {added.length > 0 && <Note>{text.newTranslations(added.map((tag) => languageName(tag)))}</Note>}
      {others.map(({ blog_id: blogId, title, language }) => (
        <Note key={blogId}>
          {text.linkedOnce.before}{' '}
          <PageLink
            size="sm"
            to="/projects/$projectId/posts/$blogId"
            params={{ projectId: blog.project_id, blogId }}
            lang={language ?? undefined}
          >
            “{title}”
          </PageLink>{' '}
          {text.linkedOnce.after}
        </Note>
      ))}
    </ul>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <li>
      <Languages />
      <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </li>
  );
}
