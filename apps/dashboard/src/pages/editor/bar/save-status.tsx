import { Button, Text } from '@mantine/core';
import { editor as text } from '../../../strings/editor.ts';
import styles from './editor-bar.module.css';
import type { SaveState } from '../saving/save-queue.ts';

/** Whether everything is saved. @param props.isPartial whether some of it needs a person first */
export function SaveStatus(props: { state: SaveState; isPartial: boolean; onSave: () => void }) {
  const { state } = props;
  const isRefused = state.kind === 'saved' && props.isPartial;
  const isWrong = isRefused || state.kind === 'later' || state.kind === 'conflict';
  return (
    <>
      <Text
        size="sm"
        c={isWrong ? 'var(--danger)' : 'dimmed'}
        role="status"
        data-save-state={state.kind}
        truncate
        miw={0}
      >
        {isRefused ? text.state.refused : text.state[state.kind]}
        {state.kind === 'unsaved' && <span className={styles['wide']}> {text.state.changes}</span>}
      </Text>
      {isFailing(state) && (
        <Button size="compact-xs" variant="default" onClick={props.onSave} style={{ flex: 'none' }}>
          {text.saveNow}
        </Button>
      )}
    </>
  );
}

/** Also during a retry, so that the text does not move while someone keeps writing. */
export const isFailing = ({ kind, error }: SaveState): boolean => error !== null && kind !== 'conflict';
