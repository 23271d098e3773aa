import { Link } from '@tanstack/react-router';
import {
  ArrowRightLeft,
  CircleAlert,
  ListPlus,
  MessageSquareQuote,
  PenLine,
  SlidersHorizontal,
  Sparkles,
  Users,
} from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { settings as text } from '../../strings/settings.ts';
import { authors } from '../../strings/writing/authors.ts';
import { brandVoice } from '../../strings/writing/brand-voice.ts';
import { dataFields } from '../../strings/writing/data-fields.ts';
import { PageFrame } from '../page-frame.tsx';
import { useIsOwner, useProject } from '../project.tsx';
import styles from './settings-frame.module.css';

const ENTRIES = [
  { to: '/projects/$projectId/settings', icon: SlidersHorizontal, label: text.general, ownersOnly: false },
  { to: '/projects/$projectId/settings/authors', icon: PenLine, label: authors.title, ownersOnly: false },
  { to: '/projects/$projectId/settings/data', icon: ListPlus, label: dataFields.title, ownersOnly: false },
  { to: '/projects/$projectId/settings/voice', icon: MessageSquareQuote, label: brandVoice.title, ownersOnly: false },
  { to: '/projects/$projectId/settings/model', icon: Sparkles, label: text.model, ownersOnly: true },
  { to: '/projects/$projectId/members', icon: Users, label: text.members, ownersOnly: false },
  { to: '/projects/$projectId/transfer', icon: ArrowRightLeft, label: text.transfer, ownersOnly: false },
  { to: '/projects/$projectId/settings/danger', icon: CircleAlert, label: text.danger, ownersOnly: true },
] as const;

/** A page of the settings, beside the menu of all. */
export function SettingsFrame({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const menu = useRef<HTMLElement>(null);
  // On phones, the menu scrolls sideways.
  useLayoutEffect(() => {
    const current = menu.current?.querySelector<HTMLElement>('[aria-current]');
    if (!menu.current || !current) return;
    menu.current.scrollLeft = current.offsetLeft - (menu.current.clientWidth - current.offsetWidth) / 2;
  }, []);
  return (
    <div className={styles['frame']}>
      <nav ref={menu} className={styles['menu']} aria-label={text.title}>
        {ENTRIES.filter(({ ownersOnly }) => isOwner || !ownersOnly).map(({ to, icon: Icon, label }) => (
          <Link
            key={to}
            to={to}
            params={{ projectId }}
            activeOptions={{ exact: true }}
            activeProps={{ 'aria-current': 'page' }}
          >
            <Icon />
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles['content']}>
        <PageFrame title={title} {...(actions !== undefined && { actions })}>
          {children}
        </PageFrame>
      </div>
    </div>
  );
}
