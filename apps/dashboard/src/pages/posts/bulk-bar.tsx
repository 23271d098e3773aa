import { CalendarClock, EyeOff, Send, Tag, Trash2, X, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { BlogItem } from '../../generated/types.gen.ts';
import { posts as strings } from '../../strings/posts.ts';
import { MAX_SELECTED } from './use-selection.ts';
import { ActionDialog, type AskedAction } from './actions/action-dialog.tsx';
import styles from './bulk-bar.module.css';

const text = strings.bulk;

const BUTTONS: readonly { readonly action: AskedAction; readonly Icon: LucideIcon }[] = [
  { action: 'publish', Icon: Send },
  { action: 'unpublish', Icon: EyeOff },
  { action: 'schedule', Icon: CalendarClock },
  { action: 'tag', Icon: Tag },
  { action: 'delete', Icon: Trash2 },
];

/** Floats at the bottom while posts are selected. Those that an action was run for are selected no more. */
export function BulkBar({ posts, onClear }: { posts: readonly BlogItem[]; onClear: () => void }) {
  // The dialog keeps its posts, although the selection is cleared before it closes.
  const [asked, setAsked] = useState<{ action: AskedAction; posts: readonly BlogItem[] } | null>(null);
  return (
    <>
      {posts.length > 0 && (
        <div className={styles['place']} data-floating>
          <div className={styles['bar']} role="toolbar" aria-label={text.bar}>
            <span className={styles['count']} role="status">
              {text.selected(posts.length)}
              {posts.length >= MAX_SELECTED && <small>{text.tooMany(MAX_SELECTED)}</small>}
            </span>
            {BUTTONS.map(({ action, Icon }) => (
              <button
                key={action}
                type="button"
                className={styles['button']}
                data-action={action}
                aria-label={text[action]}
                title={text[action]}
                onClick={() => setAsked({ action, posts })}
              >
                <Icon />
                <span className={styles['label']}>{text[action]}</span>
              </button>
            ))}
            <button
              type="button"
              className={styles['button']}
              aria-label={text.clear}
              title={text.clear}
              onClick={onClear}
            >
              <X />
            </button>
          </div>
        </div>
      )}
      {asked !== null && <ActionDialog {...asked} onDone={onClear} onClose={() => setAsked(null)} />}
    </>
  );
}
