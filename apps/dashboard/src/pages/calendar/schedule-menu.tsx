import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, CalendarX, Pencil } from 'lucide-react';
import { useState, type RefObject } from 'react';
import type { Schedule } from '../../generated/types.gen.ts';
import { AnchoredMenu } from '../../parts/lists/anchored.tsx';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/writing/calendar.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import type { ScheduleChanges } from './use-schedule-changes.ts';

/** What can be done to a scheduled post. */
export function ScheduleMenu(props: {
  schedule: Schedule;
  button: HTMLElement;
  place: RefObject<HTMLElement | null>;
  changes: ScheduleChanges;
  onClose: () => void;
}) {
  const { schedule, changes, onClose } = props;
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const [isMoving, setMoving] = useState(false);
  const { blog_id: blogId, title, publish_at: before } = schedule;
  if (isMoving) return <ScheduleDialog schedule={schedule} changes={changes} onClose={onClose} />;
  return (
    <AnchoredMenu
      button={props.button}
      place={props.place}
      label={text.menuOf(title)}
      position="bottom-start"
      onClose={onClose}
    >
      <Menu.Item
        leftSection={<Pencil />}
        onClick={() => void navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId } })}
      >
        {text.edit}
      </Menu.Item>
      <Menu.Item leftSection={<CalendarClock />} closeMenuOnClick={false} onClick={() => setMoving(true)}>
        {text.moveTo}
      </Menu.Item>
      <Menu.Item
        color="var(--danger)"
        leftSection={<CalendarX />}
        onClick={() => void changes.cancel({ blogId, title, before }).catch((error: unknown) => notify.failed(error))}
      >
        {text.cancel}
      </Menu.Item>
    </AnchoredMenu>
  );
}
