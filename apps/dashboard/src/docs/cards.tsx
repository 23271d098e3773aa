import { ArrowRightLeft, Bot, Code, DownloadCloud, PenLine, Webhook } from 'lucide-react';
import { docs as text } from '../strings/sites/docs.ts';
import styles from './cards.module.css';

const CARDS = [
  { icon: DownloadCloud, href: '/docs/quickstart-site', ...text.cards.site },
  { icon: Webhook, href: '/docs/receive-webhooks', ...text.cards.webhooks },
  { icon: Bot, href: '/docs/quickstart-agent', ...text.cards.agent },
  { icon: ArrowRightLeft, href: '/docs/move-here', ...text.cards.move },
  { icon: PenLine, href: '/docs/making-posts', ...text.cards.generate },
  { icon: Code, href: '/docs/api', ...text.cards.api },
];

/** Where people begin, by what they want to do. */
export function Cards() {
  return (
    <ul className={styles['cards']}>
      {CARDS.map(({ icon: Icon, href, title, about }) => (
        <li key={href}>
          <Icon />
          <a href={href}>{title}</a>
          <p>{about}</p>
        </li>
      ))}
    </ul>
  );
}
