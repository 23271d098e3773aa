import { Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getBlogQueryKey, getProposalOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { acceptProposal, getBlog, rejectProposal } from '../../../generated/sdk.gen.ts';
import type { Blog, ProposalItem } from '../../../generated/types.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { notify } from '../../../parts/notify.ts';
import { Problem } from '../../../parts/problem.tsx';
import { common } from '../../../strings/common.ts';
import { editor as strings } from '../../../strings/editor.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { ifMatch } from '../saving/use-saving.ts';
import { Differences } from '../versions/differences.tsx';

const text = strings.improve;

/** What a proposal would change; it is taken or put away. */
export function ProposalDialog(props: {
  blog: Blog;
  queue: SaveQueue<Blog>;
  proposalId: string;
  onAccepted: (blog: Blog) => void;
  onClose: () => void;
}) {
  const { blog, queue } = props;
  const path = { projectId: blog.project_id, proposalId: props.proposalId };
  const blogPath = { projectId: blog.project_id, blogId: blog.id };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [choice, setChoice] = useState('0');
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });
  const proposal = useQuery({ ...getProposalOptions({ path }), staleTime: 0, gcTime: 0 });
  const { data } = proposal;
  const isChoice = (data?.choices.length ?? 0) > 0;

  const decide = async (act: () => Promise<void>) => {
    setSending({ running: true, error: null });
    try {
      await act();
      props.onClose();
    } catch (error) {
      setSending({ running: false, error });
    }
  };
  const accept = () =>
    decide(async () => {
      const { accepted, changed } = await queue.run(async (version) => {
        const answer = await acceptProposal({
          path,
          body: isChoice ? { choice: Number(choice) } : {},
          headers: ifMatch(version),
          throwOnError: true,
        });
        const read = await getBlog({ path: blogPath, throwOnError: true });
        return { result: { accepted: answer.data, changed: read.data }, version: read.data.version };
      });
      queries.setQueryData(getBlogQueryKey({ path: blogPath }), changed);
      await show(accepted, changed);
    });
  const show = async ({ new_blog_id: newBlogId }: ProposalItem, changed: Blog) => {
    notify.done(newBlogId === null ? text.accepted : text.translated);
    if (newBlogId === null) props.onAccepted(changed);
    else {
      await navigate({
        to: '/projects/$projectId/posts/$blogId',
        params: { projectId: blog.project_id, blogId: newBlogId },
      });
    }
  };
  const reject = () =>
    decide(async () => {
      await rejectProposal({ path, throwOnError: true });
      notify.done(text.rejected);
    });
  return (
    <Dialog opened onClose={props.onClose} title={text.proposal} size="60rem" closable={!sending.running}>
      <Stack>
        {proposal.isPending && <Text role="status">{common.loading}</Text>}
        {proposal.error && <Problem error={proposal.error} onRetry={() => void proposal.refetch()} />}
        {data && (
          <>
            {data.notes.length > 0 && (
              <List size="sm">
                {data.notes.map((note) => (
                  <List.Item key={note}>{note}</List.Item>
                ))}
              </List>
            )}
            {isChoice ? (
              <Radio.Group label={text.choose} value={choice} onChange={setChoice}>
                <Stack gap="xs" mt="xs" role="presentation">
                  {data.choices.map((each, index) => (
                    <Radio key={each} value={String(index)} label={each} />
                  ))}
                </Stack>
              </Radio.Group>
            ) : (
              <Differences fields={data.fields} content={data.content} />
            )}
          </>
        )}
        {sending.error !== null && <Problem error={sending.error} />}
        <Group justify="flex-end">
          <Button variant="default" loading={sending.running} onClick={() => void reject()}>
            {text.reject}
          </Button>
          <Button loading={sending.running} disabled={data === undefined} onClick={() => void accept()}>
            {text.accept}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
