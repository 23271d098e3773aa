import { Button, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { getBlogQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { createTranslation, getBlog } from '../../../generated/sdk.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { ToCome } from '../../../parts/loading.tsx';
import { Badge } from '../../../parts/looks/badge.tsx';
import { notify } from '../../../parts/notify.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { posts } from '../../../strings/posts.ts';
import { languages as text } from '../../../strings/writing/languages.ts';
import { useIsOffline, WithoutModel } from '../improve/without-model.tsx';
import type { SaveQueue } from '../saving/save-queue.ts';
import { LanguageSelect } from '../../../parts/languages/language-select.tsx';
import { languageName } from '../../../parts/languages/language-names.ts';
import { SourceChanges } from './source-changes.tsx';
import { TranslateByModel } from './translate-by-model.tsx';
import { useTranslations, type Translation } from './use-translations.ts';

const TONES = { deleted: 'danger', draft: 'neutral', published: 'success', unpublished: 'neutral' } as const;

/** The post in other languages: what is there, what is out of date, and a new one. */
export function Translations(props: { blog: Blog; queue: SaveQueue<Blog>; onAccepted: (blog: Blog) => void }) {
  const { blog, queue, onAccepted } = props;
  const list = useTranslations(blog);
  const [compared, setCompared] = useState<Translation | null>(null);
  const items = list.data?.items ?? [];
  const own = items.filter(({ blog_id: id }) => id === blog.id);
  const others = items.filter(({ blog_id: id }) => id !== blog.id);
  const sourceOf = (item: Translation) => items.find(({ blog_id: id }) => id === item.translated_from?.blog_id);
  const taken = new Set(items.flatMap(({ language }) => language ?? []));
  return (
    <Stack gap="md">
      <ToCome query={list} />
      {list.data && (
        <section aria-label={text.translations}>
          <Stack gap="sm">
            <Title order={2} size="h5">
              {text.translations}
            </Title>
            {others.length === 0 && <Text size="sm">{blog.language === null ? text.setFirst : text.none}</Text>}
            {[...(others.length === 0 ? [] : own), ...others].map((item) => (
              <Row
                key={item.blog_id}
                item={item}
                source={sourceOf(item)}
                isOwn={item.blog_id === blog.id}
                update={(beside) => (
                  <TranslateByModel
                    blog={blog}
                    queue={queue}
                    label={text.updateByModel}
                    request={{ kind: 'update_translation' }}
                    size="compact-sm"
                    beside={beside}
                    onAccepted={(changed) => {
                      onAccepted(changed);
                      // It may be up to date without a change.
                      void list.refetch();
                    }}
                  />
                )}
                projectId={blog.project_id}
                onCompare={() => setCompared(item)}
              />
            ))}
          </Stack>
        </section>
      )}
      {list.data && blog.language !== null && (
        <AddTranslation blog={blog} queue={queue} taken={taken} onAccepted={onAccepted} />
      )}
      {compared !== null && (
        <SourceChanges
          projectId={blog.project_id}
          translation={compared}
          source={sourceOf(compared)}
          onClose={() => setCompared(null)}
          onConfirmed={() => {
            setCompared(null);
            void list.refetch();
          }}
        />
      )}
    </Stack>
  );
}

const nameOf = (language: string | null) => (language === null ? text.unknown : languageName(language));

function Row(props: {
  item: Translation;
  source: Translation | undefined;
  isOwn: boolean;
  projectId: string;
  /** Brings the post up to date, beside what is given. */
  update: (beside: ReactNode) => ReactNode;
  onCompare: () => void;
}) {
  const { item, source, isOwn, projectId } = props;
  const name = nameOf(item.language);
  const from = nameOf(source?.language ?? null);
  const behind = item.translated_from?.revisions_behind ?? 0;
  const showChanges = behind > 0 && (
    <Button
      size="compact-sm"
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      aria-label={text.showOf(name, from)}
      onClick={props.onCompare}
    >
      {text.show}
    </Button>
  );
  return (
    <Stack gap={2} data-language={item.language}>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {isOwn ? (
          <b>{name}</b>
        ) : (
          <PageLink
            to="/projects/$projectId/posts/$blogId"
            params={{ projectId, blogId: item.blog_id }}
            size="sm"
            lang={item.language ?? undefined}
            aria-label={`${name}: ${item.title}`}
          >
            {name}
          </PageLink>
        )}{' '}
        <Badge tone={TONES[item.state]}>{posts[item.state]}</Badge>
        {isOwn && ` ${text.thisPost}`}
      </Text>
      {!isOwn && (
        <Text size="xs" c="dimmed" lang={item.language ?? undefined} style={{ overflowWrap: 'anywhere' }}>
          {item.title}
        </Text>
      )}
      {source !== undefined && <Text size="xs">{behind === 0 ? text.upToDate(from) : text.behind(behind, from)}</Text>}
      {item.state === 'published' && !item.is_linked && <Text size="xs">{text.notLinked}</Text>}
      {isOwn && item.translated_from !== null ? props.update(showChanges) : showChanges}
    </Stack>
  );
}

function AddTranslation(props: {
  blog: Blog;
  queue: SaveQueue<Blog>;
  taken: ReadonlySet<string>;
  onAccepted: (blog: Blog) => void;
}) {
  const { blog, queue } = props;
  const path = { projectId: blog.project_id, blogId: blog.id };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isOffline = useIsOffline();
  const [language, setLanguage] = useState<string | null>(null);
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });
  const add = async (into: string) => {
    setSending({ running: true, error: null });
    try {
      // It begins with what is saved.
      const { made, source } = await queue.run(async () => {
        const headers = { 'Idempotency-Key': idempotencyKey() };
        const created = await createTranslation({ path, body: { language: into }, headers, throwOnError: true });
        const { data } = await getBlog({ path, throwOnError: true });
        return { result: { made: created.data, source: data }, version: data.version };
      });
      queries.setQueryData(getBlogQueryKey({ path }), source);
      notify.done(text.added(languageName(into)));
      await navigate({
        to: '/projects/$projectId/posts/$blogId',
        params: { projectId: blog.project_id, blogId: made.id },
      });
    } catch (error) {
      setSending({ running: false, error });
    }
  };
  return (
    <section aria-label={text.add}>
      <Stack gap="sm">
        <LanguageSelect
          label={text.add}
          empty={text.choose}
          value={language}
          without={props.taken}
          onChange={setLanguage}
        />
        <TranslateByModel
          blog={blog}
          queue={queue}
          label={text.addByModel}
          request={language === null ? null : { kind: 'translate', language }}
          onAccepted={props.onAccepted}
          beside={
            <Button
              variant="default"
              disabled={language === null}
              loading={sending.running}
              onClick={() => language !== null && void add(language)}
            >
              {text.addButton}
            </Button>
          }
        />
        {isOffline && <WithoutModel>{text.noModel}</WithoutModel>}
        {sending.error !== null && <Problem error={sending.error} />}
      </Stack>
    </section>
  );
}
