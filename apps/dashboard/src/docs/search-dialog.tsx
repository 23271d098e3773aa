import { Modal } from '@mantine/core';
import MiniSearch from 'minisearch';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import entries from 'virtual:search';
import { docs as text } from '../strings/sites/docs.ts';
import type { SearchEntry } from './guide.ts';
import styles from './search-dialog.module.css';

const MAX_RESULTS = 12;

/** Finds sections of guides and operations of the API, in this browser. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const results = useRef<HTMLDivElement>(null);
  const index = useMemo(() => {
    const search = new MiniSearch<SearchEntry>({
      fields: ['title', 'page', 'text'],
      searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
    });
    search.addAll(entries);
    return search;
  }, []);
  const found = useMemo(
    () =>
      index
        .search(query)
        .slice(0, MAX_RESULTS)
        .flatMap(({ id }) => entries[id as number] ?? []),
    [index, query],
  );
  useEffect(() => {
    results.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, found]);
  const open = (entry: SearchEntry | undefined) => {
    if (!entry) return;
    onClose();
    window.location.assign(entry.href);
  };
  return (
    <Modal.Root opened onClose={onClose} size={600} yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label={text.search}>
        <input
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
          {found.map((entry, position) => (
            <div
              key={entry.id}
              id={`${list}-${position}`}
              role="option"
              aria-selected={position === at}
              className={styles['result']}
              onMouseMove={() => setAt(position)}
              onClick={() => open(entry)}
            >
              <span>{entry.title}</span> <small>{entry.page}</small>
            </div>
          ))}
        </div>
        <p role="status" className={styles['status']}>
          {query === '' ? text.searchHint : found.length === 0 ? text.nothingFound(query) : ''}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}
