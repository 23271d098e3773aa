import { Button, Group, Stack, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { createProposal } from '../../../generated/sdk.gen.ts';
import type { Blog, ProposalRequest } from '../../../generated/types.gen.ts';
import { GenerationProgress } from '../../../parts/generation/generation-progress.tsx';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { NotProposed } from '../improve/ask-for-proposal.tsx';
import { ProposalDialog } from '../improve/proposal-dialog.tsx';
import { useIsOffline } from '../improve/without-model.tsx';
import type { SaveQueue } from '../saving/save-queue.ts';

/**
 * Has the model translate, and shows its proposal. Nothing changes until that is accepted. Without a model, there is no
 * button.
 */
export function TranslateByModel(props: {
  blog: Blog;
  queue: SaveQueue<Blog>;
  label: string;
  /** Null while a language is missing. */
  request: ProposalRequest | null;
  onAccepted: (blog: Blog) => void;
  size?: ButtonProps['size'];
  /** What is in one row with the button. */
  beside?: ReactNode;
}) {
  const { blog, queue, label, request } = props;
  const isOffline = useIsOffline();
  const [generationId, setGenerationId] = useState<string | null>(null);
  const [proposalId, setProposalId] = useState<string | null>(null);
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });
  const propose = async (body: ProposalRequest) => {
    setSending({ running: true, error: null });
    try {
      const path = { projectId: blog.project_id, blogId: blog.id };
      const headers = { 'Idempotency-Key': idempotencyKey() };
      const generation = await queue.run(async (version) => {
        const { data } = await createProposal({ path, body, headers, throwOnError: true });
        return { result: data, version };
      });
      setGenerationId(generation.id);
      setSending({ running: false, error: null });
    } catch (error) {
      setSending({ running: false, error });
    }
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {props.beside}
        {!isOffline && (
          <Button
            variant="default"
            {...(props.size !== undefined && { size: props.size })}
            loading={sending.running}
            disabled={request === null || generationId !== null}
            onClick={() => request !== null && void propose(request)}
          >
            {label}
          </Button>
        )}
      </Group>
      {sending.error !== null && <NotProposed error={sending.error} />}
      {generationId !== null && (
        <GenerationProgress
          key={generationId}
          projectId={blog.project_id}
          generationId={generationId}
          label={label}
          onDone={(made) => {
            setGenerationId(null);
            setProposalId(made?.proposal_id ?? null);
          }}
        />
      )}
      {proposalId !== null && (
        <ProposalDialog
          blog={blog}
          queue={queue}
          proposalId={proposalId}
          onAccepted={props.onAccepted}
          onClose={() => setProposalId(null)}
        />
      )}
    </Stack>
  );
}
