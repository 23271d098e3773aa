import { List, Stack, Text, Title } from '@mantine/core';
import type { BrandVoice } from '../../../generated/types.gen.ts';
import { brandVoice as text } from '../../../strings/writing/brand-voice.ts';

/** The notes for those who can't change them. */
export function VoiceNotes({ voice }: { voice: BrandVoice }) {
  const { glossary, sources } = voice;
  const parts = [
    { label: text.voice, items: [voice.voice] },
    { label: text.audience, items: [voice.audience] },
    { label: text.facts, items: voice.facts },
    { label: text.use, items: voice.words_to_use },
    { label: text.avoid, items: voice.words_to_avoid },
    { label: text.glossary, items: glossary.map(({ term, meaning }) => `${term}: ${meaning}`) },
    { label: text.sources, items: sources.map((source) => `${source.title}: ${source.text}`) },
  ];
  return (
    <Stack style={{ overflowWrap: 'anywhere' }}>
      {parts.map(({ label, items: [first, ...others] }) => {
        if (first === undefined || first === '') return null;
        return (
          <section key={label} aria-label={label}>
            <Title order={2} size="h5">
              {label}
            </Title>
            {others.length === 0 ? (
              <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
                {first}
              </Text>
            ) : (
              <List size="sm">
                {[first, ...others].map((item) => (
                  <List.Item key={item}>{item}</List.Item>
                ))}
              </List>
            )}
          </section>
        );
      })}
    </Stack>
  );
}
