import { ActionIcon, Input, Text, VisuallyHidden } from '@mantine/core';
import { ChevronDown, ChevronUp, UserX, X } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Row, Rows } from '../../../../parts/lists/rows.tsx';
import { Loading } from '../../../../parts/loading.tsx';
import { PageLink } from '../../../../parts/page-link.tsx';
import { QueryProblem } from '../../../../parts/problem.tsx';
import { useProject } from '../../../../parts/project.tsx';
import { extraFields } from '../../../../strings/writing/extra-fields.ts';
import { postAuthors as text } from '../../../../strings/writing/authors.ts';
import { AuthorSelect } from './author-select.tsx';
import { moveItem, namedAuthors, type NamedAuthor } from './named-authors.ts';
import { useEveryAuthor } from './use-every-author.ts';

/** The authors of a post in order: chosen from those of the project, moved and removed one by one. */
export function AuthorsField(props: {
  /** Of the element that takes the focus. */
  id: string;
  /** Slugs, in order. */
  value: readonly string[];
  error: ReactNode;
  onChange: (value: string[]) => void;
}) {
  const { id, value, error, onChange } = props;
  const { id: projectId } = useProject();
  const { list, authors, isComplete } = useEveryAuthor();
  const [said, setSaid] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const named = namedAuthors(value, authors);
  const chosen = new Set(named.map(({ author }) => author));
  const hasNobody = isComplete && authors.length === 0;
  const focus = (button: string) =>
    (frame.current?.querySelector<HTMLElement>(`[id="${button}"]`) ?? document.getElementById(id))?.focus();
  const move = (from: number, to: number, { name, button }: { name: string; button: string }) => {
    // The browser takes the focus from an element that is moved.
    flushSync(() => onChange(moveItem(value, from, to)));
    focus(button);
    setSaid(text.moved(name, to + 1));
  };
  const remove = (index: number, name: string) => {
    const left = value.toSpliced(index, 1);
    flushSync(() => onChange(left));
    focus(idOfButton('remove', left[Math.min(index, left.length - 1)] ?? ''));
    setSaid(text.removed(name));
  };
  return (
    <div role="group" aria-label={extraFields.authors} ref={frame}>
      {isComplete && !hasNobody ? (
        <AuthorSelect
          id={id}
          label={extraFields.authors}
          error={error}
          authors={authors.filter((author) => !chosen.has(author))}
          isFull={value.length >= MAX_POST_AUTHORS}
          onAdd={({ slug, name }) => {
            onChange([...value, slug]);
            setSaid(text.added(name));
          }}
        />
      ) : (
        <Input.Wrapper label={extraFields.authors} labelElement="div" error={error}>
          {list.isError ? <QueryProblem query={list} /> : !isComplete && <Loading rows={1} />}
          {hasNobody && (
            <Text size="sm">
              {text.nobody}{' '}
              <PageLink id={id} to="/projects/$projectId/settings/authors" params={{ projectId }} size="sm">
                {text.addInSettings}
              </PageLink>
            </Text>
          )}
        </Input.Wrapper>
      )}
      {named.length > 0 && (
        <Rows label={text.list}>
          {named.map((one, index) => (
            <AuthorRow
              key={one.slug}
              named={one}
              isDeleted={isComplete && one.author === undefined}
              place={{ index, of: named.length }}
              onMove={(to, moved) => move(index, to, moved)}
              onRemove={(name) => remove(index, name)}
            />
          ))}
        </Rows>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </div>
  );
}

/** As the service has it. */
const MAX_POST_AUTHORS = 20;

const idOfButton = (action: 'up' | 'down' | 'remove', slug: string) => `post-author-${action}-${slug}`;

function AuthorRow(props: {
  named: NamedAuthor;
  isDeleted: boolean;
  place: { readonly index: number; readonly of: number };
  /** With the author's name, and the id of the button that was pressed. */
  onMove: (to: number, moved: { name: string; button: string }) => void;
  onRemove: (name: string) => void;
}) {
  const { isDeleted, place, onMove, onRemove } = props;
  const { slug, author } = props.named;
  const name = author?.name ?? slug;
  const picture = author?.avatar_url ?? null;
  const mover = (action: 'up' | 'down', to: number) => {
    const isLast = to < 0 || to >= place.of;
    const button = idOfButton(action, slug);
    const label = action === 'up' ? text.moveUp(name) : text.moveDown(name);
    return (
      // A disabled button would lose the focus of someone who has just moved the author to the end.
      <ActionIcon
        id={button}
        {...LOOK}
        aria-label={label}
        title={label}
        aria-disabled={isLast}
        data-disabled={isLast || undefined}
        bg={isLast ? 'transparent' : undefined}
        onClick={() => !isLast && onMove(to, { name, button })}
      >
        {action === 'up' ? <ChevronUp /> : <ChevronDown />}
      </ActionIcon>
    );
  };
  return (
    <Row
      {...(isDeleted ? { icon: UserX } : picture === null ? { email: name } : { picture })}
      title={name}
      {...(isDeleted && { note: text.deleted })}
      actions={
        <>
          {place.of > 1 && mover('up', place.index - 1)}
          {place.of > 1 && mover('down', place.index + 1)}
          <ActionIcon
            id={idOfButton('remove', slug)}
            {...LOOK}
            aria-label={text.remove(name)}
            title={text.remove(name)}
            onClick={() => onRemove(name)}
          >
            <X />
          </ActionIcon>
        </>
      }
    />
  );
}

const LOOK = { variant: 'subtle', color: 'gray', size: 28 } as const;
