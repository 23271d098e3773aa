import { Modal, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileText, Search } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { LanguageBadge } from '../../parts/languages/language-badge.tsx';
import { useProject } from '../../parts/project.tsx';
import { palette as text } from '../../strings/palette.ts';
import { matchesWords } from './match-words.ts';
import styles from './palette.module.css';
import { useCommands, type Command } from './use-commands.ts';

const SHOWN_POSTS = 6;
const RESTS_MS = 150;
const MAX_TYPED = 200;

/** Finds posts, pages and actions. The arrow keys choose, Enter runs, Escape leaves. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const { actions, pages } = useCommands();
  const posts = usePosts(typed.trim());
  const fits = ({ name }: Command) => matchesWords(name, typed);
  const own = [
    { name: text.actions, items: actions.filter(fits) },
    { name: text.pages, items: pages.filter(fits) },
  ];
  // Posts are found later than the rest. Above it they would push another command under the reader's Enter.
  const groups = (
    typed.trim() === ''
      ? [{ name: text.recent, items: posts.found }, ...own]
      : [...own, { name: text.posts, items: posts.found.filter((post) => !posts.isLoading || fits(post)) }]
  ).filter(({ items }) => items.length > 0);
  const all = groups.flatMap(({ items }) => items);
  const chosen = posts.isFirst ? undefined : all[Math.min(place, all.length - 1)];
  const idOf = (id: string) => `${listId}-${id}`;
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setPlace((to + all.length) % Math.max(1, all.length));
    } else if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(chosen);
    }
  };
  return (
    <Modal.Root opened onClose={onClose} size={560} yOffset="12dvh" padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={text.label}>
        <div className={styles['field']}>
          <Search />
          <input
            data-autofocus
            role="combobox"
            aria-label={text.label}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={chosen && idOf(chosen.id)}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_TYPED}
            placeholder={text.placeholder}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setPlace(0);
            }}
            onKeyDown={onKey}
          />
        </div>
        <div ref={list} id={listId} role="listbox" aria-label={text.label} className={styles['list']}>
          {groups.map(({ name, items }) => (
            <div key={name} role="group" aria-label={name}>
              <div className={styles['group']} aria-hidden>
                {name}
              </div>
              {items.map((command) => (
                <Option
                  key={command.id}
                  id={idOf(command.id)}
                  command={command}
                  isChosen={command === chosen}
                  onPoint={() => setPlace(all.indexOf(command))}
                  onRun={() => run(command)}
                />
              ))}
            </div>
          ))}
        </div>
        {posts.hasFailed && <div className={styles['note']}>{text.failed}</div>}
        {all.length === 0 && !posts.isLoading && <div className={styles['note']}>{text.none(typed.trim())}</div>}
        <VisuallyHidden role="status">{posts.isLoading ? '' : text.found(all.length)}</VisuallyHidden>
      </Modal.Content>
    </Modal.Root>
  );
}

function Option(props: { id: string; command: Command; isChosen: boolean; onPoint: () => void; onRun: () => void }) {
  const { name, language, icon: Icon } = props.command;
  return (
    // The field keeps the focus, and has the keys.
    <div
      id={props.id}
      role="option"
      aria-selected={props.isChosen}
      className={styles['option']}
      onPointerMove={props.isChosen ? undefined : props.onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onRun}
    >
      <Icon />
      <span>{name}</span>
      <LanguageBadge language={language ?? null} />
    </div>
  );
}

/** The newest posts, or those that are searched for. */
function usePosts(typed: string) {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const [q] = useDebouncedValue(typed, RESTS_MS);
  const { data, isPending, isFetching, isError } = useQuery({
    ...listBlogsOptions({ path: { projectId }, query: { limit: SHOWN_POSTS, ...(q !== '' && { q }) } }),
    placeholderData: keepPreviousData,
  });
  const found = (data?.items ?? []).map(({ id, title, language }): Command => ({
    id,
    name: title,
    language,
    icon: FileText,
    run: () => void navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId: id } }),
  }));
  return { found, isFirst: isPending && typed === '', isLoading: isFetching || q !== typed, hasFailed: isError };
}
