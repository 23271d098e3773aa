import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { AutopilotTopicItem } from '../../generated/types.gen.ts';
import { autopilot as text } from '../../strings/autopilot.ts';

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
  const { topic, keyword } = props.topic;
  return (
    <li
      draggable
      onDragStart={props.onDrag}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        props.onDrop();
      }}
      style={{ borderBottom: '1px solid var(--mantine-color-default-border)', padding: '8px 0' }}
    >
      <Group gap="xs" justify="space-between">
        <div style={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={500}>
            {props.place}. {topic}
          </Text>
          {keyword !== null && (
            <Text size="xs" c="dimmed">
              {keyword}
            </Text>
          )}
        </div>
        <Group gap={4}>
          {/* Not disabled while a move is under way: that would take the focus off the button. */}
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={text.moveUp(topic)}
            disabled={!props.canUp}
            onClick={() => !props.busy && props.onMove(-1)}
          >
            <ArrowUp />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={text.moveDown(topic)}
            disabled={!props.canDown}
            onClick={() => !props.busy && props.onMove(1)}
          >
            <ArrowDown />
          </ActionIcon>
          <Button size="xs" variant="default" aria-label={text.editOf(topic)} onClick={props.onEdit}>
            {text.edit}
          </Button>
          <Button size="xs" variant="default" aria-label={text.deleteOf(topic)} onClick={props.onRemove}>
            {text.delete}
          </Button>
        </Group>
      </Group>
    </li>
  );
}
