import { CodeXml, Ghost, Hammer, Newspaper, PanelsTopLeft, ShoppingBag, Webhook, type LucideIcon } from 'lucide-react';
import type { DestinationKind } from './destination-request.ts';
import styles from './kind-icon.module.css';

const ICONS: Readonly<Record<'webhook' | 'deployHook' | DestinationKind, LucideIcon>> = {
  webhook: Webhook,
  deployHook: Hammer,
  wordpress: Newspaper,
  ghost: Ghost,
  webflow: PanelsTopLeft,
  shopify: ShoppingBag,
  devto: CodeXml,
};

/** What kind of destination it is. The name beside it says it too. */
export function KindIcon({ kind }: { kind: keyof typeof ICONS }) {
  const Icon = ICONS[kind];
  return (
    <span className={styles['tile']} aria-hidden>
      <Icon />
    </span>
  );
}
