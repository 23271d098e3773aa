import { SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { useProject } from '../../parts/project.tsx';
import { DESTINATION_KINDS } from '../../parts/webhook-form/destination-request.ts';
import { KindIcon } from '../../parts/webhook-form/kind-icon.tsx';
import { destinations as text } from '../../strings/sites/destinations.ts';
import styles from './choose-kind.module.css';
import type { Kind } from './destination-form.tsx';

/** A card for each kind of destination. */
export function ChooseKind({ onChoose, onClose }: { onChoose: (kind: Kind) => void; onClose: () => void }) {
  const { id: projectId } = useProject();
  return (
    <Dialog opened onClose={onClose} title={text.choose} size="lg">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {(['webhook', ...DESTINATION_KINDS] as const).map((kind) => (
          <button key={kind} type="button" className={styles['card']} onClick={() => onChoose(kind)}>
            <Card kind={kind} />
          </button>
        ))}
        <Link to="/projects/$projectId/deploy-hook" params={{ projectId }} className={styles['card']}>
          <Card kind="deployHook" />
        </Link>
      </SimpleGrid>
    </Dialog>
  );
}

function Card({ kind }: { kind: Kind | 'deployHook' }) {
  return (
    <>
      <KindIcon kind={kind} />
      <span>
        <b>{text[kind].label}</b>
        <small>{text[kind].about}</small>
      </span>
    </>
  );
}
