import { Anchor, Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { saveDeployHook } from '../../generated/sdk.gen.ts';
import type { DeployHook, DeployHookRequest } from '../../generated/types.gen.ts';
import { deployHookOptions } from '../../parts/deliveries/use-deploy-hook.ts';
import { Textarea, TextInput } from '../../parts/forms/inputs.tsx';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { Overtaken } from '../../parts/forms/overtaken.tsx';
import { useSettingsForm, word } from '../../parts/forms/use-settings-form.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { checkUrl, fromRows, hasWrongHeaders, toRows, type HeaderRow } from '../../parts/webhook-form/check-webhook.ts';
import { Advanced } from '../../parts/webhook-form/advanced.tsx';
import { HeaderRows } from '../../parts/webhook-form/header-rows.tsx';
import { deployHook as text } from '../../strings/sites/deploy-hook.ts';
import { webhookForm } from '../../strings/sites/webhook-form.ts';
import { hasGap, presets, type Preset } from './presets.ts';

/** Sets the deploy hook up, or changes it; a preset fills in what its host asks for. */
export function HookForm({ hook }: { hook: DeployHook | null }) {
  const { id: projectId } = useProject();
  const form = useSettingsForm({
    saved: hook,
    query: deployHookOptions(projectId),
    fieldsOf,
    send: (fields, newest) =>
      saveDeployHook({ path: { projectId }, body: requestOf(fields, newest), throwOnError: true }),
    done: text.saved,
  });
  const { fields, set, isDirty, save, overtaken, wrong } = form;
  const { url, method, headers, body } = fields;
  const wrongHeaders = hasWrongHeaders(headers, 'hook');
  const gap = hasGap(url) || hasGap(body) || headers.some(({ value }) => hasGap(value));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!gap && !wrongHeaders) save.mutate();
      }}
    >
      <Section title={hook ? text.form : text.none}>
        <Stack maw={640}>
          {hook === null && (
            <Text size="sm" c="dimmed">
              {text.noneText}
            </Text>
          )}
          {save.error && <Problem error={save.error} names={{ headers: text.header }} />}
          <ChoosePreset onChoose={(filled) => set(filled ?? fieldsOf(hook))} />
          <TextInput
            label={text.url}
            description={hook ? `${text.urlHint} ${text.urlKeep}` : text.urlHint}
            inputMode="url"
            required={!hook}
            maxLength={2048}
            autoComplete="off"
            {...word(form, 'url')}
            error={wrong('url') ?? (hasGap(url) ? text.urlGap : checkUrl(url))}
          />
          <Advanced opened={method === 'GET' || headers.length > 0 || body !== ''}>
            <NativeSelect
              label={text.method}
              value={method}
              onChange={({ currentTarget: { value } }) => set({ method: value === 'GET' ? 'GET' : 'POST' })}
              data={['POST', 'GET']}
            />
            <HeaderRows
              of="hook"
              rows={headers}
              checkValue={(value) => (hasGap(value) ? text.urlGap : null)}
              onChange={(rows) => set({ headers: rows })}
            />
            <Overtaken said={overtaken('headers')} />
            {method === 'POST' && (
              <Textarea
                label={text.body}
                description={text.bodyHint}
                autosize
                minRows={2}
                maxRows={10}
                maxLength={16_384}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                {...word(form, 'body')}
              />
            )}
          </Advanced>
          {!hasGap(url) && (gap || wrongHeaders) && (
            <Text size="sm" role="status">
              {gap ? text.advancedGap : webhookForm.checks.headersWrong}
            </Text>
          )}
          <AskBeforeLeaving unsaved={isDirty} />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={gap || wrongHeaders || !isDirty}>
              {text.save}
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  );
}

/** Fills in what a host asks for (null: nothing), and says where its owner finds the URL there. */
function ChoosePreset({ onChoose }: { onChoose: (fields: HookFields | null) => void }) {
  const [preset, setPreset] = useState<Preset | undefined>();
  const choose = (id: string) => {
    const chosen = presets.find((each) => each.id === id);
    setPreset(chosen);
    // What the preset before has filled in is of no use for another host.
    if (chosen === undefined) return onChoose(null);
    onChoose({
      method: chosen.method,
      headers: toRows(chosen.headers),
      body: chosen.body ?? '',
      // What is pasted as a whole needs no beginning; what is put together does.
      url: chosen.id === 'github-actions' || chosen.id === 'gitlab' ? chosen.url : '',
    });
  };
  return (
    <>
      <NativeSelect
        label={text.preset}
        value={preset?.id ?? ''}
        onChange={({ currentTarget: { value } }) => choose(value)}
        data={[{ value: '', label: text.presetNone }, ...presets.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {preset && (
        <Text size="sm" component="div">
          <div>{preset.help}</div>
          <div>
            {text.looksLike} <Code style={{ overflowWrap: 'anywhere' }}>{preset.url}</Code>
          </div>
          <Anchor href={preset.page} target="_blank" rel="noopener noreferrer" inherit underline="always">
            {text.presetPage}
          </Anchor>
        </Text>
      )}
    </>
  );
}

interface HookFields {
  /** Empty keeps the one that is saved, which is never shown whole. */
  readonly url: string;
  readonly method: 'POST' | 'GET';
  readonly headers: readonly HeaderRow[];
  readonly body: string;
}

const fieldsOf = (hook: DeployHook | null): HookFields => ({
  url: '',
  method: hook?.method ?? 'POST',
  headers: toRows(hook?.headers ?? {}),
  body: hook?.body ?? '',
});

const requestOf = ({ url, method, headers, body }: HookFields, newest: DeployHook | null): DeployHookRequest => ({
  ...(url.trim() !== '' && { url: url.trim() }),
  method,
  headers: fromRows(headers),
  body: method === 'GET' || body === '' ? null : body,
  active: newest?.active ?? true,
});
