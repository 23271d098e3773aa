import { Link } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import type { Schedule } from '../../generated/types.gen.ts';
import { formatDateTime, formatTime } from '../../parts/dates.ts';
import { LanguageBadge } from '../../parts/languages/language-badge.tsx';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/writing/calendar.ts';
import styles from './calendar.module.css';
import type { Entry } from './entries.ts';

/** A post on its day. What is scheduled has a menu and can be dragged; the others lead to their editor. */
export function DayEntry(props: {
  entry: Entry;
  isOpen: boolean;
  onMenu: (schedule: Schedule, button: HTMLElement) => void;
  onDrag: (schedule: Schedule | null) => void;
}) {
  const { entry, isOpen, onMenu, onDrag } = props;
  const { id: projectId } = useProject();
  const { kind, blogId, title, language, at, schedule } = entry;
  const shown = (
    <>
      <span className={styles['name']}>
        <span className={styles['time']}>{formatTime(at)}</span>
        <LanguageBadge language={language} /> {title}
      </span>
      {schedule?.trigger === 'autopilot' && <Bot aria-label={text.byAutopilot} />}
    </>
  );
  const look = {
    className: styles['entry'],
    'data-kind': kind,
    title: text.entry(title, text.kinds[kind], formatDateTime(at)),
  };
  if (schedule === null) {
    return (
      <Link to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }} {...look}>
        {shown}
      </Link>
    );
  }
  return (
    <button
      type="button"
      {...look}
      draggable
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onDragStart={() => onDrag(schedule)}
      onDragEnd={() => onDrag(null)}
      onClick={({ currentTarget }) => onMenu(schedule, currentTarget)}
    >
      {shown}
    </button>
  );
}
