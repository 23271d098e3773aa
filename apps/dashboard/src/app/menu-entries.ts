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
import { common } from '../strings/common.ts';

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
