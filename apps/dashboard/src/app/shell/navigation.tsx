import { VisuallyHidden } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import { GROUPS } from '../menu-entries.ts';
import styles from './shell.module.css';
import { useFailures } from './use-failures.ts';

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { id: projectId } = useProject();
  const isActive = useIsActive();
  const failures = useFailures();
  return GROUPS.map(({ name, entries }) => (
    <div key={name} className={styles['group']} {...(name !== null && { role: 'group', 'aria-label': name })}>
      {name !== null && (
        <span className={styles['groupName']} aria-hidden>
          {name}
        </span>
      )}
      {entries.map(({ to, label, icon: Icon }) => {
        const failed = failures[to] ?? 0;
        return (
          <Link
            key={to}
            to={to}
            params={{ projectId }}
            className={styles['entry']}
            onClick={onNavigate}
            {...isActive(to)}
          >
            <Icon />
            <span className={styles['label']}>{label}</span>
            {failed > 0 && (
              <>
                <VisuallyHidden>{common.failing(failed)}</VisuallyHidden>
                <span className={styles['count']} data-count={failed > 99 ? '99+' : failed} />
              </>
            )}
          </Link>
        );
      })}
    </div>
  ));
}

/** How a link is marked that leads to the page that is open, or to one that this page is below. */
export function useIsActive() {
  const { id: projectId } = useProject();
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') });
  return (to: string) => {
    const own = to.replace('$projectId', projectId);
    // Home is the beginning of every other address.
    const isActive =
      path === own ||
      (to !== '/projects/$projectId' && path.startsWith(`${own}/`)) ||
      (to === '/projects/$projectId/settings' && /^\/projects\/[^/]+\/(?:members|transfer)$/.test(path));
    return isActive
      ? ({ 'data-active': true, 'aria-current': 'page' } as const)
      : ({ 'data-active': undefined, 'aria-current': undefined } as const);
  };
}
