import { linkOptions, type LinkProps } from '@tanstack/react-router';
import {
  Bot,
  CalendarClock,
  CircleAlert,
  CirclePause,
  Eye,
  Hammer,
  Sparkles,
  TriangleAlert,
  Wallet,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { PageButton } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { home } from '../../strings/home.ts';
import styles from './home.module.css';
import type { Attention } from './what-needs-attention.ts';

const text = home.attention;

interface Said {
  readonly icon: LucideIcon;
  /** A problem of live posts is a warning; something that has stopped is a danger. */
  readonly tone: 'danger' | 'warning' | 'accent';
  readonly title: string;
  readonly reason: ReactNode;
  readonly action?: string;
  readonly link: LinkProps;
}

export function AttentionRow({ attention }: { attention: Attention }) {
  const { icon: Icon, tone, title, reason, action = text.fix, link } = say(attention, useProject().id);
  return (
    <li className={styles['row']}>
      <span className={styles['icon']} data-tone={tone}>
        <Icon />
      </span>
      <div className={styles['said']}>
        <div className={styles['title']}>{title}</div>
        {reason && <div className={styles['reason']}>{reason}</div>}
      </div>
      <PageButton variant="default" size="xs" aria-label={text.actionOn(action, title)} {...link}>
        {action}
      </PageButton>
    </li>
  );
}

function say(attention: Attention, projectId: string): Said {
  const params = { projectId };
  switch (attention.kind) {
    case 'webhook': {
      const { id, name, since, reason, posts } = attention;
      const link = linkOptions({
        to: '/projects/$projectId/webhooks/$integrationId',
        params: { projectId, integrationId: id },
      });
      if (since === null) {
        return { icon: TriangleAlert, tone: 'warning', title: text.missedBy(name, posts.length), reason, link };
      }
      const said = (
        <>
          {reason} {posts.length > 0 && text.missed(posts)} {text.failingSince} <When iso={since} />.
        </>
      );
      return { icon: CircleAlert, tone: 'danger', title: text.failing(name), reason: said, link };
    }
    case 'resends':
    case 'paused':
      return {
        icon: attention.kind === 'paused' ? CirclePause : TriangleAlert,
        tone: 'warning',
        title:
          attention.kind === 'paused'
            ? text.webhookPaused(attention.name)
            : text.resendsFailed(attention.name, attention.failed),
        reason: attention.kind === 'paused' ? text.missedWhilePaused(attention.posts) : text.resendsFailedText,
        link: linkOptions({
          to: '/projects/$projectId/webhooks/$integrationId',
          params: { projectId, integrationId: attention.id },
        }),
      };
    case 'post': {
      const { publishId, deliveryId, title, missing, destinations, reasons } = attention;
      return {
        icon: TriangleAlert,
        tone: 'warning',
        title: text.liveBut(title, missing, destinations),
        reason: reasons.map(({ name, detail }) => text.because(name, detail)).join(' '),
        link:
          deliveryId === null
            ? linkOptions({ to: '/projects/$projectId/publishing/$publishId', params: { projectId, publishId } })
            : linkOptions({
                to: '/projects/$projectId/webhooks/deliveries/$deliveryId',
                params: { projectId, deliveryId },
              }),
      };
    }
    case 'rebuild':
      return {
        icon: Hammer,
        tone: 'danger',
        title: text.rebuild,
        reason: attention.reason,
        link: linkOptions({ to: '/projects/$projectId/deploy-hook', params }),
      };
    case 'model':
      return {
        icon: Bot,
        tone: 'warning',
        title: text.model,
        reason: text.modelText,
        link: linkOptions({ to: '/projects/$projectId/settings/model', params }),
      };
    case 'budget':
      return {
        icon: Wallet,
        tone: 'warning',
        title: text.budget,
        reason: (
          <>
            {text.budgetText} <When iso={attention.renewsAt} />.
          </>
        ),
        link: linkOptions({ to: '/projects/$projectId/settings/model', params }),
      };
    case 'autopilot':
      return {
        icon: Sparkles,
        tone: attention.status === 'stopped' ? 'danger' : 'warning',
        title: text[attention.status],
        reason: attention.detail ?? (attention.status === 'paused' ? text.pausedText : null),
        link: linkOptions({ to: '/projects/$projectId/autopilot', params }),
      };
    case 'late':
    case 'review': {
      const { kind, blogId, title, at } = attention;
      const late = kind === 'late';
      return {
        icon: late ? CalendarClock : Eye,
        tone: late ? 'danger' : 'accent',
        title: text[kind](title),
        reason: (
          <>
            {late ? text.lateText : text.reviewText} <When iso={at} />.
          </>
        ),
        ...(!late && { action: text.toReview }),
        link: linkOptions({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId } }),
      };
    }
  }
}
