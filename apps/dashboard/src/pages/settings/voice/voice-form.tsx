import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { getBrandVoiceOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { setBrandVoice } from '../../../generated/sdk.gen.ts';
import type { BrandVoice } from '../../../generated/types.gen.ts';
import { errorsIn } from '../../../parts/explain-error.ts';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { AskBeforeLeaving } from '../../../parts/forms/leaving.tsx';
import { linesOf } from '../../../parts/forms/lines-of.ts';
import { useSettingsForm, word } from '../../../parts/forms/use-settings-form.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { brandVoice as text } from '../../../strings/writing/brand-voice.ts';
import { RowsField } from './rows-field.tsx';
import { fieldsOf, requestOf, type BrandSource, type GlossaryEntry } from './voice-request.ts';

/** As the API limits them. */
const MOST = { voice: 2_000, audience: 1_000, facts: 50, words: 100, glossary: 100, sources: 10, sourceText: 10_000 };
const NO_TERM: GlossaryEntry = { term: '', meaning: '' };
const NO_SOURCE: BrandSource = { title: '', text: '' };
const GROWS = { autosize: true, minRows: 3, maxRows: 12 } as const;

export function VoiceForm({ voice }: { voice: BrandVoice }) {
  const path = { projectId: useProject().id };
  const form = useSettingsForm({
    saved: voice,
    query: getBrandVoiceOptions({ path }),
    fieldsOf,
    send: (fields, { version }) =>
      setBrandVoice({ path, headers: { 'If-Match': `"${version}"` }, body: requestOf(fields), throwOnError: true }),
    done: text.saved,
  });
  const { fields, set, save, refused, overtaken } = form;
  const wrong = (field: keyof typeof fields, name: string) => errorsIn(field, refused, name) ?? overtaken(field);
  const lines = (field: 'facts' | 'words_to_use' | 'words_to_avoid', name: string) => ({
    ...word(form, field),
    error: wrong(field, name),
  });
  const count = (field: 'facts' | 'words_to_use' | 'words_to_avoid') => linesOf(fields[field]).length;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack>
        {save.error && <Problem error={save.error} />}
        <Textarea
          label={text.voice}
          description={text.voiceHint(fields.voice.length, MOST.voice)}
          placeholder={text.voiceExample}
          maxLength={MOST.voice}
          {...GROWS}
          {...word(form, 'voice')}
        />
        <Textarea
          label={text.audience}
          description={text.audienceHint(fields.audience.length, MOST.audience)}
          placeholder={text.audienceExample}
          maxLength={MOST.audience}
          {...GROWS}
          minRows={2}
          {...word(form, 'audience')}
        />
        <Textarea
          label={text.facts}
          description={text.factsHint(count('facts'), MOST.facts)}
          placeholder={text.factsExample}
          {...GROWS}
          {...lines('facts', text.fact)}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Textarea
            label={text.use}
            description={text.wordsHint(count('words_to_use'), MOST.words)}
            {...GROWS}
            {...lines('words_to_use', text.word)}
          />
          <Textarea
            label={text.avoid}
            description={text.wordsHint(count('words_to_avoid'), MOST.words)}
            {...GROWS}
            {...lines('words_to_avoid', text.word)}
          />
        </SimpleGrid>
        <RowsField
          label={text.glossary}
          description={text.glossaryHint(fields.glossary.length, MOST.glossary)}
          rows={fields.glossary}
          empty={NO_TERM}
          most={MOST.glossary}
          error={wrong('glossary', text.term)}
          add={text.addTerm}
          removeOf={({ term }, number) => text.removeTerm(term || String(number))}
          onChange={(glossary) => set({ glossary })}
        >
          {(entry, index, setEntry) => (
            <Group gap="xs" align="flex-start">
              <TextInput
                aria-label={text.termOf(index + 1)}
                placeholder={text.term}
                maxLength={60}
                required={entry.meaning !== ''}
                value={entry.term}
                onChange={(event) => setEntry({ term: event.currentTarget.value })}
                style={{ flex: '1 1 120px' }}
              />
              <TextInput
                aria-label={text.meaningOf(index + 1)}
                placeholder={text.meaning}
                maxLength={300}
                required={entry.term !== ''}
                value={entry.meaning}
                onChange={(event) => setEntry({ meaning: event.currentTarget.value })}
                style={{ flex: '2 1 160px' }}
              />
            </Group>
          )}
        </RowsField>
        <RowsField
          label={text.sources}
          description={text.sourcesHint(fields.sources.length, MOST.sources)}
          rows={fields.sources}
          empty={NO_SOURCE}
          most={MOST.sources}
          error={wrong('sources', text.source)}
          add={text.addSource}
          removeOf={({ title }, number) => text.removeSource(title || String(number))}
          onChange={(sources) => set({ sources })}
        >
          {(source, index, setSource) => (
            <Stack gap={4}>
              <TextInput
                aria-label={text.sourceTitleOf(index + 1)}
                placeholder={text.sourceTitle}
                maxLength={300}
                required={source.text !== ''}
                value={source.title}
                onChange={(event) => setSource({ title: event.currentTarget.value })}
              />
              <Textarea
                aria-label={text.sourceTextOf(index + 1)}
                placeholder={text.sourceText}
                description={text.sourceTextHint(source.text.length, MOST.sourceText)}
                inputWrapperOrder={['input', 'description', 'error']}
                maxLength={MOST.sourceText}
                required={source.title !== ''}
                {...GROWS}
                value={source.text}
                onChange={(event) => setSource({ text: event.currentTarget.value })}
              />
            </Stack>
          )}
        </RowsField>
        <AskBeforeLeaving unsaved={form.isDirty} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
