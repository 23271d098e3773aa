import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listSchedulesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Schedule } from '../../generated/types.gen.ts';
import { formatRelative, formatTime, isWithinAWeek } from '../../parts/dates.ts';
import { LanguageBadge } from '../../parts/languages/language-badge.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { home } from '../../strings/home.ts';
import { HomeList } from './home-list.tsx';
import styles from './home.module.css';

const text = home.upcoming;
const SHOWN = 5;

/** The posts that are published next. */
export function Upcoming() {
  const path = { projectId: useProject().id };
  const schedules = useQuery(listSchedulesOptions({ path, query: { limit: 50 } }));
  return (
    <HomeList
      title={text.title}
      all={
        <PageLink size="sm" to="/projects/$projectId/calendar" params={path}>
          {text.all}
        </PageLink>
      }
      query={schedules}
      rows={
        schedules.data?.items.slice(0, SHOWN).map((schedule) => <Row key={schedule.blog_id} schedule={schedule} />) ??
        null
      }
      none={text.none}
    />
  );
}

function Row({ schedule }: { schedule: Schedule }) {
  const { blog_id: blogId, title, language, publish_at: at, trigger } = schedule;
  const { id: projectId } = useProject();
  const day = new Date(at);
  return (
    <li>
      <Link className={styles['row']} to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }}>
        <span className={styles['day']}>
          <span>{day.toLocaleDateString(undefined, { month: 'short' })} </span>
          {day.getDate()}
        </span>
        <span className={styles['said']}>
          <span className={styles['title']}>{title}</span>
          <span className={styles['reason']}>
            {isWithinAWeek(at, Date.now()) && `${formatRelative(at)} · `}
            {formatTime(at)}
          </span>
        </span>
        <LanguageBadge language={language} />
        {trigger === 'autopilot' && <Badge>{text.autopilot}</Badge>}
      </Link>
    </li>
  );
}
