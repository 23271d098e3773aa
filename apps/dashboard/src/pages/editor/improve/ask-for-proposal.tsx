import { Button, NativeSelect, NumberInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { createProposal } from '../../../generated/sdk.gen.ts';
import type { Blog, ProposalKind } from '../../../generated/types.gen.ts';
import { explainError } from '../../../parts/explain-error.ts';
import { Textarea } from '../../../parts/forms/inputs.tsx';
import { GenerationProgress } from '../../../parts/generation/generation-progress.tsx';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { Notice } from '../../../parts/looks/notice.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { languages } from '../../../strings/writing/languages.ts';
import { parseHtml } from '../document/elements.ts';
import { LanguageSelect } from '../../../parts/languages/language-select.tsx';
import type { SaveQueue } from '../saving/save-queue.ts';
import { NEEDS, proposalRequest, type ProposalFields } from './proposal-request.ts';
import { useIsOffline, WithoutModel } from './without-model.tsx';

const text = strings.improve;

/**
 * What is to be proposed, and how far the writing of it is. `onMade` gets the proposal, or null where there is none.
 */
export function AskForProposal(props: {
  blog: Blog;
  queue: SaveQueue<Blog>;
  onMade: (proposalId: string | null) => void;
}) {
  const { blog, queue } = props;
  const headings = useMemo(() => headingsIn(blog.content), [blog.content]);
  const isOffline = useIsOffline();
  const [asked, setAsked] = useState<Partial<Pick<ProposalFields, 'kind'>> & Omit<ProposalFields, 'kind'>>({
    heading: '',
    language: '',
    length: 300,
    instructions: '',
  });
  const [generationId, setGenerationId] = useState<string | null>(null);
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });
  // A choice made before the page knew there is no model would be refused.
  const kind = isOffline ? WITHOUT_MODEL : (asked.kind ?? 'titles');
  const fields = { ...asked, kind, heading: asked.heading || (headings[0] ?? '') };
  const request = proposalRequest(fields);

  const propose = async () => {
    if (request === null) return;
    setSending({ running: true, error: null });
    try {
      // A proposal is for the version that is saved.
      const generation = await queue.run(async (version) => {
        const { data } = await createProposal({
          path: { projectId: blog.project_id, blogId: blog.id },
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
    <>
      <Fields
        fields={fields}
        headings={headings}
        isOffline={isOffline}
        onChange={(changed) => setAsked((before) => ({ ...before, ...changed }))}
      />
      {isOffline && <WithoutModel>{text.noModel}</WithoutModel>}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={sending.running}
        disabled={request === null || generationId !== null}
        onClick={() => void propose()}
      >
        {text.propose}
      </Button>
      {sending.error !== null && <NotProposed error={sending.error} />}
      {generationId !== null && (
        <GenerationProgress
          key={generationId}
          projectId={blog.project_id}
          generationId={generationId}
          label={text.propose}
          onDone={(made) => {
            setGenerationId(null);
            props.onMade(made?.proposal_id ?? null);
          }}
        />
      )}
    </>
  );
}

/** All that is proposed without a model. */
const WITHOUT_MODEL = 'links' satisfies ProposalKind;

/** Why nothing is proposed. What is said of other conflicts would lead away from the reason. */
export function NotProposed({ error }: { error: unknown }) {
  const { detail } = explainError(error);
  if (!(error instanceof ApiError) || error.status !== 409 || detail === null) return <Problem error={error} />;
  return (
    <Notice kind="warning" title={text.refused}>
      {detail}
    </Notice>
  );
}

/** The kind of proposal, what that kind needs, and instructions. */
function Fields(props: {
  fields: ProposalFields;
  headings: readonly string[];
  isOffline: boolean;
  onChange: (changed: Partial<ProposalFields>) => void;
}) {
  const { fields, headings, isOffline, onChange } = props;
  const need = NEEDS[fields.kind];
  return (
    <>
      <NativeSelect
        label={text.kind}
        value={fields.kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value as ProposalKind })}
        data={Object.entries(text.kinds)
          // Offered beside the languages, where its source is shown.
          .filter(([value]) => value !== 'update_translation')
          .map(([value, label]) => ({ value, label, disabled: isOffline && value !== WITHOUT_MODEL }))}
      />
      {need === 'heading' && (
        <NativeSelect
          label={text.section}
          value={fields.heading}
          onChange={(event) => onChange({ heading: event.currentTarget.value })}
          data={[...new Set(headings)]}
        />
      )}
      {need === 'language' && (
        <LanguageSelect
          label={text.language}
          empty={languages.choose}
          value={fields.language === '' ? null : fields.language}
          onChange={(language) => onChange({ language: language ?? '' })}
        />
      )}
      {need === 'length' && (
        <NumberInput
          label={text.length}
          min={1}
          value={fields.length}
          onChange={(value) => onChange({ length: Number(value) })}
        />
      )}
      <Textarea
        label={text.instructions}
        value={fields.instructions}
        autosize
        minRows={2}
        onChange={(event) => onChange({ instructions: event.currentTarget.value })}
      />
    </>
  );
}

const headingsIn = (html: string): readonly string[] =>
  [...parseHtml(html).querySelectorAll('h2, h3, h4')].map(({ textContent }) => textContent.trim());
