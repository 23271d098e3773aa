import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { formatDateTime } from '../../../parts/dates.ts';
import { timeToCome, toLocalInput } from '../../../parts/forms/local-time.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { dateAhead, previousDate } from '../../../parts/publication-date/date-of-publish.ts';
import { KeepOrNow, type DateChoice } from '../../../parts/publication-date/keep-or-now.tsx';
import { common } from '../../../strings/common.ts';
import { publicationDate } from '../../../strings/writing/publication-date.ts';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import type { NotSaved } from '../saving/use-not-saved.ts';
import { postAddress } from '../settings/post-address.ts';
import { sayRename } from '../settings/say-rename.ts';
import { useRename } from '../settings/use-rename.ts';
import { Checklist } from './checklist.tsx';
import { Destinations } from './destinations.tsx';
import styles from './publish.module.css';
import { TranslationNotes } from './translation-notes.tsx';
import { WhenField, type When } from './when-field.tsx';

/** When, where and under which URL the post goes live, and what is worth a look before. */
export function PublishForm(props: {
  blog: Blog;
  title: string;
  html: string;
  hasUnsaved: boolean;
  notSaved: readonly NotSaved[];
  onPublish: (choice: DateChoice) => Promise<void>;
  onSchedule: (at: string) => Promise<void>;
  onFix: (field: string) => void;
  onClose: () => void;
}) {
  const { blog } = props;
  const { site_url: siteUrl } = useProject();
  const isUpdate = blog.state === 'published';
  const ahead = dateAhead(blog);
  const before = blog.publish_at ?? ahead ?? undefined;
  const previous = previousDate(blog);
  const [when, setWhen] = useState<When>(() => (before === undefined ? null : toLocalInput(before)));
  const [choice, setChoice] = useState<DateChoice>('keep');
  const at = when === null ? null : timeToCome(when, before);
  const { isPending, error, mutate } = useMutation({
    // A post that is dated ahead goes live then: publishing it schedules it.
    mutationFn: () => {
      if (ahead !== null) return props.onPublish(when === null ? 'now' : 'keep');
      return at === null ? props.onPublish(choice) : props.onSchedule(at);
    },
  });
  const rename = useRename(blog, blog.slug);
  const renamed = isUpdate && rename ? sayRename(rename, blog.slug) : null;
  const verb = when !== null ? text.schedule : isUpdate ? text.update : text.publish;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="lg">
        <Part title={text.when}>
          <WhenField value={when} before={before} ahead={ahead} isUpdate={isUpdate} onChange={setWhen} />
          {when === null && blog.publish_at !== null && (
            <Text size="sm">{text.scheduledNow(formatDateTime(blog.publish_at))}</Text>
          )}
          {when === null && previous !== null && <KeepOrNow previous={previous} value={choice} onChange={setChoice} />}
          {!isUpdate && ahead === null && blog.published_at !== null && (
            <Text size="sm">{publicationDate.dated(formatDateTime(blog.published_at))}</Text>
          )}
          {isUpdate && !blog.has_unpublished_changes && !props.hasUnsaved && <Text size="sm">{text.noChanges}</Text>}
        </Part>
        <Part title={text.where}>
          <Destinations />
        </Part>
        <Part title={text.url}>
          <Text size="sm" className={styles['url'] ?? ''}>
            {postAddress(siteUrl, blog.slug)}
          </Text>
          {renamed !== null && <Text size="sm">{renamed}</Text>}
        </Part>
        <Part title={text.checklist}>
          <Checklist
            blog={blog}
            title={props.title}
            html={props.html}
            description={blog.meta_description ?? blog.excerpt}
            image={blog.hero_image_url}
            notSaved={props.notSaved}
            onFix={props.onFix}
          />
          <TranslationNotes blog={blog} />
        </Part>
        {error !== null && <Problem error={error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={isPending} onClick={props.onClose} data-autofocus>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isPending} disabled={when !== null && at === null}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h3>{title}</h3>
      <Stack gap="xs">{children}</Stack>
    </section>
  );
}
