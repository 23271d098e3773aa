import { NavLink, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useProject } from '../parts/project.tsx';
import { common } from '../strings/common.ts';

/** The pages of a project in the order of the menu, in groups. The routes are in `router.tsx`. */
const groups = [
  { name: null, entries: [{ to: '/projects/$projectId', label: common.nav.home }] },
  {
    name: common.navGroups.writing,
    entries: [
      { to: '/projects/$projectId/posts', label: common.nav.posts },
      { to: '/projects/$projectId/calendar', label: common.nav.calendar },
      { to: '/projects/$projectId/images', label: common.nav.images },
      { to: '/projects/$projectId/autopilot', label: common.nav.autopilot },
    ],
  },
  {
    name: common.navGroups.sites,
    entries: [
      { to: '/projects/$projectId/publishing', label: common.nav.publishing },
      { to: '/projects/$projectId/webhooks', label: common.nav.webhooks },
      { to: '/projects/$projectId/deploy-hook', label: common.nav.deployHook },
      { to: '/projects/$projectId/api-access', label: common.nav.apiAccess },
    ],
  },
  {
    name: common.navGroups.project,
    entries: [
      { to: '/projects/$projectId/agents', label: common.nav.agents },
      { to: '/projects/$projectId/members', label: common.nav.members },
      { to: '/projects/$projectId/settings', label: common.nav.settings },
    ],
  },
] as const;

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { id: projectId } = useProject();
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') });
  return groups.map(({ name, entries }) => (
    <div key={name} {...(name !== null && { role: 'group', 'aria-label': name })}>
      {name !== null && (
        <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm" pb={4} aria-hidden>
          {name}
        </Text>
      )}
      {entries.map(({ to, label }) => {
        const own = to.replace('$projectId', projectId);
        const active = path === own || (to !== '/projects/$projectId' && path.startsWith(`${own}/`));
        return (
          <NavLink
            key={to}
            label={label}
            active={active}
            variant="filled"
            py={6}
            aria-current={active ? 'page' : undefined}
            onClick={onNavigate}
            renderRoot={(props) => (
              // Home is the beginning of every other address.
              <Link
                to={to}
                params={{ projectId }}
                activeOptions={{ exact: to === '/projects/$projectId' }}
                {...props}
              />
            )}
          />
        );
      })}
    </div>
  ));
}
