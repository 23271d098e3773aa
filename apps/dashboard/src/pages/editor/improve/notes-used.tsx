import { List, Stack, Text } from '@mantine/core';
import type { BrandVoiceUse, ReportedBrandVoice } from '../../../generated/types.gen.ts';
import { brandVoice as text } from '../../../strings/writing/brand-voice.ts';

type Word = ReportedBrandVoice['words'][number];

/** Which notes of the project a generation followed, and which of their words it has. */
export function NotesUsed({ use }: { use: BrandVoiceUse & { readonly words?: readonly Word[] } }) {
  const { version, parts, words = [] } = use;
  const named = (wanted: (word: Word) => boolean) =>
    words
      .filter(wanted)
      .map(({ word, count }) => text.times(word, count))
      .join(', ');
  const lines = [
    [text.found.words_to_avoid, named(({ list, count }) => list === 'words_to_avoid' && count > 0)],
    [text.found.words_to_use, named(({ list, count }) => list === 'words_to_use' && count > 0)],
    [
      text.missing,
      words
        .filter(({ list, count }) => list === 'words_to_use' && count === 0)
        .map(({ word }) => `“${word}”`)
        .join(', '),
    ],
    [text.found.glossary, named(({ list, count }) => list === 'glossary' && count > 0)],
  ].filter(([, said]) => said !== '');
  return (
    <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">
        {text.notesUsed}: {text.used(version, parts.map((part) => text.parts[part]).join(', '))}
      </Text>
      {lines.length > 0 && (
        <List size="sm">
          {lines.map(([label, said]) => (
            <List.Item key={label}>
              {label}: {said}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
