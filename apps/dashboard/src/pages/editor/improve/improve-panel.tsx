import { Button, NativeSelect, NumberInput, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { listProposalsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { createProposal } from '../../../generated/sdk.gen.ts';
import type { Blog, ProposalKind } from '../../../generated/types.gen.ts';
import { GenerationProgress } from '../../../parts/generation/generation-progress.tsx';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { Problem } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { parseHtml } from '../document/elements.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { ProposalDialog } from './proposal-dialog.tsx';
import { Report } from './report.tsx';
import { NEEDS, proposalRequest, type ProposalFields } from './proposal-request.ts';

const text = strings.improve;
const SHOWN = 50;

/** Has changes proposed, and decides on those that are open. */
export function ImprovePanel(props: { blog: Blog; queue: SaveQueue<Blog>; onAccepted: (blog: Blog) => void }) {
  const { blog, queue } = props;
  const path = { projectId: blog.project_id, blogId: blog.id };
  const headings = useMemo(
    () => [...parseHtml(blog.content).querySelectorAll('h2, h3, h4')].map(({ textContent }) => textContent.trim()),
    [blog.content],
  );
  const [asked, setAsked] = useState<ProposalFields>({
    kind: 'titles',
    heading: '',
    language: '',
    length: 300,
    instructions: '',
  });
  const [generationId, setGenerationId] = useState<string | null>(null);
  const [proposalId, setProposalId] = useState<string | null>(null);
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });
  const proposals = useQuery({ ...listProposalsOptions({ path, query: { limit: SHOWN } }), staleTime: 0 });
  const open = proposals.data?.items.filter(({ status }) => status === 'open') ?? [];
  const change = (changed: Partial<ProposalFields>) => setAsked((before) => ({ ...before, ...changed }));
  const request = proposalRequest({ ...asked, heading: asked.heading || (headings[0] ?? '') });

  const propose = async () => {
    if (request === null) return;
    setSending({ running: true, error: null });
    try {
      // A proposal is for the version that is saved.
      const generation = await queue.run(async (version) => {
        const { data } = await createProposal({
          path,
          body: request,
          headers: { 'Idempotency-Key': idempotencyKey() },
          throwOnError: true,
        });
        return { result: data, version };
      });
      setGenerationId(generation.id);
      setSending({ running: false, error: null });
    } catch (error) {
      setSending({ running: false, error });
    }
  };
  return (
    <Stack gap="sm">
      <Report blog={blog} />
      <Text size="sm">{text.text}</Text>
      <NativeSelect
        label={text.kind}
        value={asked.kind}
        onChange={(event) => change({ kind: event.currentTarget.value as ProposalKind })}
        data={Object.entries(text.kinds).map(([value, label]) => ({ value, label }))}
      />
      {NEEDS[asked.kind] === 'heading' && (
        <NativeSelect
          label={text.section}
          value={asked.heading || (headings[0] ?? '')}
          onChange={(event) => change({ heading: event.currentTarget.value })}
          data={[...new Set(headings)]}
        />
      )}
      {NEEDS[asked.kind] === 'language' && (
        <TextInput
          label={text.language}
          description={text.languageHint}
          value={asked.language}
          onChange={(event) => change({ language: event.currentTarget.value })}
        />
      )}
      {NEEDS[asked.kind] === 'length' && (
        <NumberInput
          label={text.length}
          min={1}
          value={asked.length}
          onChange={(value) => change({ length: Number(value) })}
        />
      )}
      <Textarea
        label={text.instructions}
        value={asked.instructions}
        autosize
        minRows={2}
        onChange={(event) => change({ instructions: event.currentTarget.value })}
      />
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={sending.running}
        disabled={request === null || generationId !== null}
        onClick={() => void propose()}
      >
        {text.propose}
      </Button>
      {sending.error !== null && <Problem error={sending.error} />}
      {generationId !== null && (
        <GenerationProgress
          key={generationId}
          projectId={blog.project_id}
          generationId={generationId}
          label={text.propose}
          onDone={(made) => {
            setGenerationId(null);
            setProposalId(made?.proposal_id ?? null);
            void proposals.refetch();
          }}
        />
      )}
      {proposals.error && <Problem error={proposals.error} onRetry={() => void proposals.refetch()} />}
      {open.length > 0 && (
        <section aria-label={text.open}>
          <Title order={2} size="h5">
            {text.open}
          </Title>
          <Stack gap="xs" mt="xs">
            {open.map((proposal) => (
              <Text size="sm" component="div" key={proposal.id}>
                {text.kinds[proposal.kind]} · <When iso={proposal.created_at} />{' '}
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`${text.show}: ${text.kinds[proposal.kind]}`}
                  onClick={() => setProposalId(proposal.id)}
                >
                  {text.show}
                </Button>
              </Text>
            ))}
          </Stack>
        </section>
      )}
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
