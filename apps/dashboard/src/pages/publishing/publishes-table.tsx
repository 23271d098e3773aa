import { Table } from '@mantine/core';
import { Bot, CalendarClock, Sparkles, UserRound } from 'lucide-react';
import type { Publish } from '../../generated/types.gen.ts';
import { LanguageBadge } from '../../parts/languages/language-badge.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { When } from '../../parts/when.tsx';
import { publishing as text } from '../../strings/sites/publishing.ts';
import { sayReceivers } from './count-receivers.ts';
import { PublishState } from './publish-state.tsx';
import styles from './publishes-table.module.css';
import { byOf } from './search.ts';

const ICONS = { person: UserRound, agent: Bot, schedule: CalendarClock, autopilot: Sparkles } as const;

/** The log of publishes. Each row opens its publish. */
export function PublishesTable({ items }: { items: readonly Publish[] }) {
  return (
    <Table aria-label={text.table} highlightOnHover>
      <TableHead columns={[text.columnPost, text.columnStatus, text.columnWhat, text.columnBy, text.columnWhen]} />
      <Table.Tbody>
        {items.map((publish) => (
          <Row key={publish.id} publish={publish} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ publish }: { publish: Publish }) {
  const { id: publishId, project_id: projectId, revision, requested_at: at } = publish;
  const what = revision === 1 ? text.whats.published : text.whats.updated;
  return (
    <Table.Tr className={styles['row'] ?? ''}>
      <Table.Td className={styles['post'] ?? ''}>
        <PageLink
          className={styles['link'] ?? ''}
          to="/projects/$projectId/publishing/$publishId"
          params={{ projectId, publishId }}
        >
          {publish.blog_title || text.deletedPost}
        </PageLink>
        <div className={styles['below']}>
          <LanguageBadge language={publish.blog_language} /> <Destinations publish={publish} />
        </div>
        <div className={styles['narrow']}>
          <PublishState publish={publish} />
          <span>
            {what} · <By publish={publish} /> · <When iso={at} />
          </span>
        </div>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <PublishState publish={publish} />
      </Table.Td>
      <Table.Td visibleFrom="sm">{what}</Table.Td>
      <Table.Td visibleFrom="sm">
        <By publish={publish} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={styles['when'] ?? ''}>
        <When iso={at} />
      </Table.Td>
    </Table.Tr>
  );
}

function By({ publish }: { publish: Publish }) {
  const by = byOf(publish);
  const Icon = ICONS[by];
  return (
    <span className={styles['by']}>
      <Icon />
      {text.by[by]}
    </span>
  );
}

function Destinations({ publish }: { publish: Publish }) {
  const { deliveries, status } = publish;
  return deliveries.length === 0 && status === 'pending' ? text.pending : sayReceivers(deliveries);
}
