import { Modal } from '@mantine/core';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { docs as text } from '../strings/sites/docs.ts';
import type { SearchEntry } from './guide.ts';
import styles from './search-dialog.module.css';
import { useLoaded } from './use-loaded.ts';

const loadIndex = () => import('./search-index.ts');

/** Finds sections of documents and operations of the API, in this browser. The index is loaded while people type. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const results = useRef<HTMLDivElement>(null);
  const index = useLoaded(loadIndex);
  const found = useMemo(() => (index.kind === 'loaded' ? index.value.search(query) : []), [index, query]);
  useEffect(() => {
    results.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, found]);
  const open = (entry: SearchEntry | undefined) => {
    if (!entry) return;
    onClose();
    window.location.assign(entry.href);
  };
  const status = () => {
    if (query === '') return text.searchHint;
    if (index.kind === 'failed') return text.searchFailed;
    return index.kind === 'loaded' && found.length === 0 ? text.nothingFound(query) : '';
  };
  return (
    // Without a transition the input has the focus before the next key.
    <Modal.Root opened onClose={onClose} size={600} yOffset="12vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={text.search}>
        <input
          ref={focus}
          data-autofocus
          className={styles['input']}
          role="combobox"
          aria-label={text.search}
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          {...(found[at] && { 'aria-activedescendant': `${list}-${at}` })}
          placeholder={text.searchPlaceholder}
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: found.length - 1 }[event.key];
            if (step !== undefined && found.length > 0) {
              event.preventDefault();
              setAt((at + step) % found.length);
            }
            if (event.key === 'Enter') open(found[at]);
          }}
        />
        <div id={list} ref={results} role="listbox" aria-label={text.results} className={styles['results']}>
          {found.map((result, position) => (
            <div
              key={result.id}
              id={`${list}-${position}`}
              role="option"
              aria-selected={position === at}
              className={styles['result']}
              onMouseMove={() => setAt(position)}
              onClick={() => open(result)}
            >
              <span>
                <Marked text={result.title} found={result.found} />
              </span>{' '}
              <small>{result.page}</small>
              <p>
                <Marked text={result.excerpt} found={result.found} />
              </p>
            </div>
          ))}
        </div>
        <p role="status" className={styles['status']}>
          {status()}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

const focus = (input: HTMLInputElement | null) => input?.focus();

/** A text with the found words highlighted. */
function Marked({ text: whole, found }: { text: string; found: RegExp }) {
  return whole.split(found).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}
