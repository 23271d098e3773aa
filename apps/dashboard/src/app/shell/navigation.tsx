import { VisuallyHidden } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import {
  Bot,
  CalendarDays,
  FileText,
  Hammer,
  House,
  Image,
  KeyRound,
  Send,
  Settings,
  Sparkles,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import styles from './shell.module.css';
import { useFailures } from './use-failures.ts';

const entry = <const To extends string>(to: To, label: string, icon: LucideIcon) => ({ to, label, icon });

const { nav } = common;

/** The pages of a project in the order of the menu, in groups. The routes are in `router.tsx`. */
export const GROUPS = [
  { name: null, entries: [entry('/projects/$projectId', nav.home, House)] },
  {
    name: common.navGroups.writing,
    entries: [
      entry('/projects/$projectId/posts', nav.posts, FileText),
      entry('/projects/$projectId/calendar', nav.calendar, CalendarDays),
      entry('/projects/$projectId/images', nav.images, Image),
      entry('/projects/$projectId/autopilot', nav.autopilot, Sparkles),
    ],
  },
  {
    name: common.navGroups.sites,
    entries: [
      entry('/projects/$projectId/publishing', nav.publishing, Send),
      entry('/projects/$projectId/webhooks', nav.webhooks, Webhook),
      entry('/projects/$projectId/deploy-hook', nav.deployHook, Hammer),
      entry('/projects/$projectId/api-access', nav.apiAccess, KeyRound),
    ],
  },
  {
    name: common.navGroups.project,
    entries: [
      entry('/projects/$projectId/agents', nav.agents, Bot),
      entry('/projects/$projectId/settings', nav.settings, Settings),
    ],
  },
] as const;

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
