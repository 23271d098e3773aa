import { Menu } from '@mantine/core';
import { ArrowDown, ArrowUp, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AutopilotTopicItem } from '../../../generated/types.gen.ts';
import { RowMenu } from '../../../parts/lists/row-menu.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import styles from './topic-row.module.css';

const KEYS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/** A topic in the queue: its handle is dragged, or moved with the arrow keys. */
export function TopicRow(props: {
  topic: AutopilotTopicItem;
  place: number;
  canUp: boolean;
  canDown: boolean;
  busy: boolean;
  onMove: (by: 1 | -1) => void;
  onEdit: () => void;
  onRemove: () => void;
  onDrag: () => void;
  onDrop: () => void;
}) {
  const { place, canUp, canDown } = props;
  const { topic, keyword } = props.topic;
  const [isOver, setIsOver] = useState(false);
  const move = (by: 1 | -1) => {
    if (!props.busy && (by === 1 ? canDown : canUp)) props.onMove(by);
  };
  return (
    <li
      className={styles['row']}
      data-over={isOver || undefined}
      draggable
      onDragStart={props.onDrag}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        props.onDrop();
      }}
    >
      <button
        type="button"
        className={styles['handle']}
        aria-label={text.moveOf(topic, place)}
        title={text.moveHint}
        onKeyDown={(event) => {
          const by = KEYS[event.key];
          if (by === undefined) return;
          event.preventDefault();
          move(by);
        }}
      >
        <GripVertical />
      </button>
      <span className={styles['place']}>{place}</span>
      <div className={styles['text']}>
        <div className={styles['topic']}>{topic}</div>
        {keyword !== null && <div className={styles['keyword']}>{keyword}</div>}
      </div>
      <RowMenu label={text.actionsOf(topic)}>
        <Menu.Item leftSection={<Pencil />} onClick={props.onEdit}>
          {text.edit}
        </Menu.Item>
        <Menu.Item leftSection={<ArrowUp />} disabled={!canUp} onClick={() => move(-1)}>
          {text.moveUp}
        </Menu.Item>
        <Menu.Item leftSection={<ArrowDown />} disabled={!canDown} onClick={() => move(1)}>
          {text.moveDown}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Trash2 />} color="red" onClick={props.onRemove}>
          {text.delete}
        </Menu.Item>
      </RowMenu>
    </li>
  );
}
