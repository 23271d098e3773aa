import { CloseButton, Stack, Text, Title } from '@mantine/core';
import { ChevronRight, History, Languages, Link2, ListPlus, Search, Sparkles, type LucideIcon } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { getDataFieldsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { useProject } from '../../../parts/project.tsx';
import { When } from '../../../parts/when.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { dataFields } from '../../../strings/writing/data-fields.ts';
import { languages } from '../../../strings/writing/languages.ts';
import { DataControls } from '../data/data-controls.tsx';
import { idOfField } from '../field-names.ts';
import { ImprovePanel } from '../improve/improve-panel.tsx';
import type { SaveQueue, SaveState } from '../saving/save-queue.ts';
import type { OnUnfinished } from '../saving/use-not-saved.ts';
import { LinksHere } from '../settings/links-here.tsx';
import { usePostFields, type PostFields } from '../settings/use-post-fields.ts';
import { LanguageSelect } from '../../../parts/languages/language-select.tsx';
import { Translations } from '../languages/translations.tsx';
import { SearchFields } from '../search/search-fields.tsx';
import { SettingsPanel } from '../settings/settings-panel.tsx';
import { HistoryPanel } from '../versions/history-panel.tsx';
import styles from './drawer.module.css';
import { useScrollAlong } from './use-scroll-along.ts';

const text = strings.drawer;

interface DrawerProps {
  isOpen: boolean;
  /** Whether it was opened by hand: then the keyboard goes into it. */
  takesFocus: boolean;
  onClose: () => void;
  blog: Blog;
  /** The values of the fields; a new number refills them. */
  opened: { readonly blog: Blog; readonly number: number };
  title: string;
  featured: string | null;
  onFeatured: (url: string | null) => void;
  queue: SaveQueue<Blog>;
  state: SaveState;
  onChange: (field: string, value: unknown) => void;
  onUnfinished: OnUnfinished;
  onReplaced: (blog: Blog) => void;
}

/** The post's settings next to its text. Closing it keeps what was typed. */
export function Drawer(props: DrawerProps) {
  const { blog, queue, isOpen } = props;
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen && props.takesFocus) frame.current?.focus({ preventScroll: true });
  }, [isOpen, props.takesFocus]);
  useScrollAlong(frame, isOpen);
  return (
    <section
      id="post-settings"
      ref={frame}
      tabIndex={-1}
      aria-label={text.label}
      className={styles['drawer']}
      hidden={!isOpen}
      // Not in a dialog that was opened from here.
      onKeyDown={({ key, currentTarget, target }) =>
        key === 'Escape' && currentTarget.contains(target as Node) && props.onClose()
      }
    >
      <div className={styles['head']}>
        <Title order={2} size="h4">
          {text.label}
        </Title>
        <CloseButton aria-label={text.close} onClick={props.onClose} />
      </div>
      <Fields key={props.opened.number} {...props} />
      <Part icon={Link2} title={text.links}>
        <LinksHere blog={blog} />
      </Part>
      <Part icon={History} title={text.history}>
        <HistoryPanel blog={blog} queue={queue} onRestored={props.onReplaced} />
      </Part>
      <Part icon={Sparkles} title={text.improve}>
        <ImprovePanel blog={blog} queue={queue} onAccepted={props.onReplaced} />
      </Part>
      <Text size="xs" c="dimmed" className={styles['foot'] ?? ''}>
        {text.updated} <When iso={blog.updated_at} />
      </Text>
    </section>
  );
}

function Fields(props: DrawerProps) {
  const { blog, opened, title, featured, onChange } = props;
  const fields = usePostFields({ blog: opened.blog, title, refused: props.state.refused, onChange });
  return (
    <>
      <div className={styles['fields']}>
        <SettingsPanel
          blog={opened.blog}
          saved={blog}
          fields={fields}
          automaticExcerpt={blog.automatic_excerpt}
          hero={{ address: featured, shown: featured ?? blog.generated_images[0] ?? null }}
          onFeatured={props.onFeatured}
          onChange={onChange}
        />
      </div>
      <Data
        blogId={blog.id}
        fields={fields}
        refused={props.state.refused.get('data')}
        onUnfinished={props.onUnfinished}
      />
      <Part
        icon={Search}
        title={text.search}
        kept={
          <SearchFields
            fields={fields}
            title={title}
            automaticExcerpt={blog.automatic_excerpt}
            image={featured ?? blog.generated_images[0] ?? null}
          />
        }
      />
      <Part
        icon={Languages}
        title={languages.title}
        kept={
          <LanguageSelect
            id={idOfField('language')}
            label={languages.language}
            empty={languages.notSet}
            value={fields.values.language || null}
            error={fields.errorOf('language')}
            onChange={(tag) => fields.set('language', tag ?? '')}
          />
        }
      >
        <Translations blog={blog} queue={props.queue} onAccepted={props.onReplaced} />
      </Part>
    </>
  );
}

/** The values of the project's data fields. It begins open where there are some. */
function Data(props: { blogId: string; fields: PostFields; refused: unknown; onUnfinished: OnUnfinished }) {
  const { values, set } = props.fields;
  const declared = useQuery(getDataFieldsOptions({ path: { projectId: useProject().id } })).data?.fields;
  if (declared === undefined) return null;
  return (
    <Part
      icon={ListPlus}
      title={dataFields.inEditor}
      isOpenFirst={declared.length > 0}
      kept={
        <DataControls
          blogId={props.blogId}
          fields={declared}
          data={values.data}
          refused={props.refused}
          onUnfinished={props.onUnfinished}
          onChange={(data) => set('data', data as typeof values.data)}
        />
      }
    />
  );
}

/** A section that loads its data when it is opened. @param props.kept its fields, which are there before that */
function Part(props: {
  icon: LucideIcon;
  title: string;
  isOpenFirst?: boolean;
  kept?: ReactNode;
  children?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(props.isOpenFirst ?? false);
  return (
    <details className={styles['part']} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <props.icon />
        <span>{props.title}</span>
        <ChevronRight className={styles['chevron'] ?? ''} />
      </summary>
      {(isOpen || props.kept !== undefined) && (
        <Stack className={styles['partBody'] ?? ''}>
          {props.kept}
          {isOpen && props.children}
        </Stack>
      )}
    </details>
  );
}
