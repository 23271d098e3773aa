import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  BookOpen,
  CalendarClock,
  CircleUserRound,
  FolderInput,
  KeyRound,
  ListChecks,
  LogOut,
  Moon,
  PenLine,
  Plus,
  ScrollText,
  Sparkles,
  Sun,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { listProjectsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { setSetupGuide } from '../../pages/home/setup/visibility.ts';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { useNewPost } from '../../parts/posts/use-new-post.ts';
import { useSignOut } from '../../session/sign-out.tsx';
import { common } from '../../strings/common.ts';
import { palette as text } from '../../strings/palette.ts';
import { setup } from '../../strings/sites/setup.ts';
import { GROUPS } from '../menu-entries.ts';

export interface Command {
  readonly id: string;
  readonly name: string;
  /** Of a post. */
  readonly language?: string | null;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

/** Everything the palette can do but to open a post: actions first, then pages. */
export function useCommands(): { readonly actions: readonly Command[]; readonly pages: readonly Command[] } {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const newPost = useNewPost();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const projects = useQuery({ ...listProjectsOptions({ query: { limit: 100 } }), staleTime: 60_000 });
  const params = { projectId };
  const command = (id: string, name: string, icon: LucideIcon, run: () => unknown): Command => ({
    id,
    name,
    icon,
    run: () => void run(),
  });
  const others = projects.data?.items.filter(({ id }) => id !== projectId) ?? [];
  const actions = [
    command('new-post', common.newPost, PenLine, newPost.write),
    command('generate', text.generate, Sparkles, () => navigate({ to: '/projects/$projectId/generate', params })),
    command('schedule', text.schedule, CalendarClock, () => navigate({ to: '/projects/$projectId/calendar', params })),
    ...(isOwner
      ? [
          command('rotate', text.rotateKey, KeyRound, () =>
            navigate({ to: '/projects/$projectId/api-access', params, state: { asksTo: 'rotate' } }),
          ),
        ]
      : []),
    command('setup', setup.title, ListChecks, () => {
      setSetupGuide(projectId, 'open');
      return navigate({ to: '/projects/$projectId', params });
    }),
    command('new-project', common.newProject, Plus, () => navigate({ to: '/new-project' })),
    ...others.map(({ id, name }) =>
      command(`to-${id}`, text.switchTo(name), ArrowLeftRight, () =>
        navigate({ to: '/projects/$projectId', params: { projectId: id } }),
      ),
    ),
    ...(colorScheme === 'dark'
      ? [command('light', text.useLight, Sun, () => setColorScheme('light'))]
      : [command('dark', text.useDark, Moon, () => setColorScheme('dark'))]),
    command('sign-out', common.signOut, LogOut, signOut),
  ];
  const pages = [
    ...GROUPS.flatMap(({ entries }) =>
      entries.map(({ to, label, icon }) => command(to, label, icon, () => navigate({ to, params }))),
    ),
    command('members', common.nav.members, Users, () => navigate({ to: '/projects/$projectId/members', params })),
    command('log', text.deliveryLog, ScrollText, () =>
      navigate({ to: '/projects/$projectId/webhooks/deliveries', params }),
    ),
    command('transfer', text.transfer, FolderInput, () => navigate({ to: '/projects/$projectId/transfer', params })),
    command('account', common.yourAccount, CircleUserRound, () => navigate({ to: '/account' })),
    command('docs', common.docs, BookOpen, () => window.location.assign('/docs')),
  ];
  return { actions, pages };
}
