import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listProposalsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog, ProposalItem } from '../../../generated/types.gen.ts';
import { QueryProblem } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { AskForProposal } from './ask-for-proposal.tsx';
import { ProposalDialog } from './proposal-dialog.tsx';
import { Report } from './report.tsx';

const text = strings.improve;
const SHOWN = 50;

/** Has changes proposed, and decides on those that are open. */
export function ImprovePanel(props: { blog: Blog; queue: SaveQueue<Blog>; onAccepted: (blog: Blog) => void }) {
  const { blog, queue } = props;
  const path = { projectId: blog.project_id, blogId: blog.id };
  const [proposalId, setProposalId] = useState<string | null>(null);
  const proposals = useQuery({ ...listProposalsOptions({ path, query: { limit: SHOWN } }), staleTime: 0 });
  const open = proposals.data?.items.filter(({ status }) => status === 'open') ?? [];
  return (
    <Stack gap="sm">
      <Report blog={blog} />
      <Text size="sm">{text.text}</Text>
      <AskForProposal
        blog={blog}
        queue={queue}
        onMade={(id) => {
          setProposalId(id);
          void proposals.refetch();
        }}
      />
      <QueryProblem query={proposals} />
      {open.length > 0 && <OpenProposals proposals={open} onOpen={setProposalId} />}
      {proposalId !== null && (
        <ProposalDialog
          blog={blog}
          queue={queue}
          proposalId={proposalId}
          onAccepted={props.onAccepted}
          onClose={() => {
            setProposalId(null);
            void proposals.refetch();
          }}
        />
      )}
    </Stack>
  );
}

function OpenProposals(props: { proposals: readonly ProposalItem[]; onOpen: (proposalId: string) => void }) {
  return (
    <section aria-label={text.open}>
      <Title order={2} size="h5">
        {text.open}
      </Title>
      <Stack gap="xs" mt="xs">
        {props.proposals.map((proposal) => (
          <Text size="sm" component="div" key={proposal.id}>
            {text.kinds[proposal.kind]} · <When iso={proposal.created_at} />{' '}
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${text.show}: ${text.kinds[proposal.kind]}`}
              onClick={() => props.onOpen(proposal.id)}
            >
              {text.show}
            </Button>
          </Text>
        ))}
      </Stack>
    </section>
  );
}
