import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BlogCounts } from '../../generated/types.gen.ts';
import scrolling from '../../parts/looks/scrolling-tabs.module.css';
import { posts as text } from '../../strings/posts.ts';
import { countOf } from './range-shown.ts';
import { FILTERS, type PostsFilter } from './search.ts';
import styles from './tabs.module.css';

const ALL = 'all' as const;

/** A tab for each state, with how many posts it has; the list is the panel of the one that is chosen. */
export function StateTabs(props: {
  show: PostsFilter | undefined;
  counts: BlogCounts | undefined;
  onShow: (show: PostsFilter | undefined) => void;
  children: ReactNode;
}) {
  const { show, counts, onShow } = props;
  const chosen = show ?? ALL;
  return (
    <Tabs
      value={chosen}
      onChange={(value) => onShow(value === ALL ? undefined : (value as PostsFilter))}
      // Arrow keys move, Enter chooses: each choice is a page to load.
      activateTabWithKeyboard={false}
    >
      <Tabs.List aria-label={text.tabs.label} className={scrolling['list'] ?? ''}>
        {[ALL, ...FILTERS].map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {text.tabs[tab]}{' '}
            <span className={styles['count']}>
              {counts && countOf(counts, tab === ALL ? undefined : tab).toLocaleString()}
            </span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={chosen} pt="md">
        {props.children}
      </Tabs.Panel>
    </Tabs>
  );
}
