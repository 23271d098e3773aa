import { Button, Group, List, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getProposalOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { ToCome } from '../../../parts/loading.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { Differences } from '../versions/differences.tsx';
import { NotesUsed } from './notes-used.tsx';
import { useDecision } from './use-decision.ts';

const text = strings.improve;

/** What a proposal would change; it is taken or put away. */
export function ProposalDialog(props: {
  blog: Blog;
  queue: SaveQueue<Blog>;
  proposalId: string;
  onAccepted: (blog: Blog) => void;
  onClose: () => void;
}) {
  const path = { projectId: props.blog.project_id, proposalId: props.proposalId };
  const [choice, setChoice] = useState('0');
  const proposal = useQuery({ ...getProposalOptions({ path }), staleTime: 0, gcTime: 0 });
  const { data } = proposal;
  const isChoice = (data?.choices.length ?? 0) > 0;
  const { accept, reject, sending } = useDecision({ ...props, onDecided: props.onClose });
  return (
    <Dialog opened onClose={props.onClose} title={text.proposal} size="60rem" closable={!sending.running}>
      <Stack>
        <ToCome query={proposal} />
        {data && (
          <>
            {data.notes.length > 0 && (
              <List size="sm">
                {data.notes.map((note) => (
                  <List.Item key={note}>{note}</List.Item>
                ))}
              </List>
            )}
            {data.brand_voice !== null && <NotesUsed use={data.brand_voice} />}
            {isChoice ? (
              <Radio.Group label={text.choose} value={choice} onChange={setChoice}>
                <Stack gap="xs" mt="xs" role="presentation">
                  {data.choices.map((each, index) => (
                    <Radio key={each} value={String(index)} label={each} />
                  ))}
                </Stack>
              </Radio.Group>
            ) : (
              <Differences
                before={strings.history.after}
                after={text.proposal}
                legend={text.legend}
                fields={data.fields}
                content={data.content}
              />
            )}
          </>
        )}
        {sending.error !== null && <Problem error={sending.error} />}
        <Group justify="flex-end">
          <Button variant="default" loading={sending.running} onClick={() => void reject()}>
            {text.reject}
          </Button>
          <Button
            loading={sending.running}
            disabled={data === undefined}
            onClick={() => void accept(isChoice ? Number(choice) : undefined)}
          >
            {text.accept}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
