import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { diffRevisionOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { confirmTranslation } from '../../../generated/sdk.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { ToCome } from '../../../parts/loading.tsx';
import { notify } from '../../../parts/notify.ts';
import { Problem } from '../../../parts/problem.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { languages as text } from '../../../strings/writing/languages.ts';
import { Differences } from '../versions/differences.tsx';
import { languageName } from '../../../parts/languages/language-names.ts';
import type { Translation } from './use-translations.ts';

/** What the source of a translation has changed since. */
export function SourceChanges(props: {
  projectId: string;
  translation: Translation;
  source: Translation | undefined;
  onClose: () => void;
  onConfirmed: () => void;
}) {
  const { projectId, translation, source } = props;
  const { blog_id: sourceId = '', revision: number = 0 } = translation.translated_from ?? {};
  const to = source?.revision ?? 0;
  const hasRevision = number > 0 && to > number;
  const diff = useQuery({
    ...diffRevisionOptions({ path: { projectId, blogId: sourceId, number }, query: { to } }),
    enabled: hasRevision,
  });
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });
  const confirm = async () => {
    setSending({ running: true, error: null });
    try {
      const path = { projectId, blogId: translation.blog_id };
      await confirmTranslation({ path, body: { blog_id: sourceId }, throwOnError: true });
      notify.done(text.confirmed);
      props.onConfirmed();
    } catch (error) {
      setSending({ running: false, error });
    }
  };
  const from = languageName(source?.language ?? '');
  return (
    <Dialog opened onClose={props.onClose} title={text.changes(from)} size="60rem">
      <Stack>
        {hasRevision ? <ToCome query={diff} /> : <Text size="sm">{text.noRevision}</Text>}
        {diff.data && (
          <Differences
            before={strings.history.number(number)}
            after={strings.history.number(to)}
            legend={text.legend}
            fields={diff.data.fields.filter(({ field }) => field !== 'translation_key')}
            content={diff.data.content}
          />
        )}
        {sending.error !== null && <Problem error={sending.error} />}
        <Group justify="flex-end">
          <Button variant="default" loading={sending.running} onClick={() => void confirm()}>
            {text.confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
