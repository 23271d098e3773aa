import { Group, Select, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Author } from '../../../../generated/types.gen.ts';
import { Initials, Portrait } from '../../../../parts/lists/rows.tsx';
import { postAuthors as text } from '../../../../strings/writing/authors.ts';

/** Finds authors by name and adds one at a time. */
export function AuthorSelect(props: {
  id: string;
  label: string;
  error: ReactNode;
  /** Those that can be added. */
  authors: readonly Author[];
  /** Whether the post has as many as it can have. */
  isFull: boolean;
  onAdd: (author: Author) => void;
}) {
  const { authors, isFull, onAdd } = props;
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const bySlug = new Map(authors.map((author) => [author.slug, author]));
  return (
    // Escape closes the list first, then the settings.
    <div onKeyDown={(event) => event.key === 'Escape' && isOpen && event.stopPropagation()}>
      <Select
        id={props.id}
        label={props.label}
        placeholder={text.placeholder}
        error={props.error}
        data={isFull ? [] : authors.map(({ slug, name }) => ({ value: slug, label: name }))}
        value={null}
        searchable
        comboboxProps={{ withinPortal: false }}
        selectFirstOptionOnChange
        searchValue={typed}
        onSearchChange={setTyped}
        nothingFoundMessage={isFull ? text.full : authors.length === 0 ? text.allAdded : text.noMatch}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        onOptionSubmit={(slug) => {
          const author = bySlug.get(slug);
          if (author) onAdd(author);
          setTyped('');
        }}
        renderOption={({ option }) => <Option author={bySlug.get(option.value)} />}
      />
    </div>
  );
}

function Option({ author }: { author: Author | undefined }) {
  if (!author) return null;
  const { name, slug, avatar_url: picture } = author;
  return (
    <Group gap="xs" wrap="nowrap">
      {picture === null ? <Initials email={name} /> : <Portrait url={picture} />}
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {slug}
        </Text>
      </div>
    </Group>
  );
}
