import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listSchedulesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { formatRelative, formatTime, isWithinAWeek } from '../../parts/dates.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { home } from '../../strings/home.ts';
import styles from './home.module.css';

const text = home.upcoming;
const SHOWN = 5;

/** The posts that are published next. */
export function Upcoming() {
  const path = { projectId: useProject().id };
  const schedules = useQuery(listSchedulesOptions({ path, query: { limit: 50 } }));
  const items = schedules.data?.items.slice(0, SHOWN) ?? [];
  return (
    <section aria-label={text.title} className={styles['section']}>
      <div className={styles['sectionHead']}>
        <Title order={2} size="h4">
          {text.title}
        </Title>
        <PageLink size="sm" to="/projects/$projectId/calendar" params={path}>
          {text.all}
        </PageLink>
      </div>
      <QueryProblem query={schedules} />
      {schedules.isPending && <Loading rows={3} />}
      {schedules.data && items.length === 0 && (
        <Paper withBorder className={styles['calm']}>
          <Text size="sm" c="dimmed">
            {text.none}
          </Text>
        </Paper>
      )}
      {items.length > 0 && (
        <Paper withBorder component="ul" className={styles['rows']}>
          {items.map(({ blog_id: blogId, title, publish_at: at, trigger }) => (
            <li key={blogId}>
              <Link className={styles['row']} to="/projects/$projectId/posts/$blogId" params={{ ...path, blogId }}>
                <span className={styles['day']}>
                  <span>{new Date(at).toLocaleDateString(undefined, { month: 'short' })} </span>
                  {new Date(at).getDate()}
                </span>
                <span className={styles['said']}>
                  <span className={styles['title']}>{title}</span>
                  <span className={styles['reason']}>
                    {isWithinAWeek(at, Date.now()) && `${formatRelative(at)} · `}
                    {formatTime(at)}
                  </span>
                </span>
                {trigger === 'autopilot' && <Badge>{text.autopilot}</Badge>}
              </Link>
            </li>
          ))}
        </Paper>
      )}
    </section>
  );
}
