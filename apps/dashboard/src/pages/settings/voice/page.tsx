import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareQuote } from 'lucide-react';
import { useState } from 'react';
import { getBrandVoiceOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useIsOwner, useProject } from '../../../parts/project.tsx';
import { SettingsFrame } from '../../../parts/settings/settings-frame.tsx';
import { brandVoice as text } from '../../../strings/writing/brand-voice.ts';
import { VoiceForm } from './voice-form.tsx';
import { VoiceNotes } from './voice-notes.tsx';
import { isEmpty } from './voice-request.ts';

const GUIDE = { href: '/docs/making-posts#set-the-brand-voice', label: text.guide };

/** What every generation and suggestion of the project follows. */
export function Page() {
  const isOwner = useIsOwner();
  const query = useQuery(getBrandVoiceOptions({ path: { projectId: useProject().id } }));
  const [isWriting, setWriting] = useState(false);
  const start = isOwner && <Button onClick={() => setWriting(true)}>{text.start}</Button>;
  const { data } = query;
  const isShown = data !== undefined && (isWriting || !isEmpty(data));
  return (
    <SettingsFrame title={text.title}>
      <Stack maw={640}>
        <QueryProblem query={query} />
        {query.isPending && <Loading />}
        {data && !isShown && (
          <EmptyState icon={MessageSquareQuote} title={text.empty} action={start} guide={GUIDE}>
            {isOwner ? text.emptyText : text.emptyForEditors}
          </EmptyState>
        )}
        {isShown && (
          <>
            <Text size="sm">{text.intro}</Text>
            {isOwner ? <VoiceForm voice={data} /> : <VoiceNotes voice={data} />}
          </>
        )}
      </Stack>
    </SettingsFrame>
  );
}
