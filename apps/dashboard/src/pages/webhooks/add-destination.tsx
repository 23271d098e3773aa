import { useState } from 'react';
import { ChooseKind } from './choose-kind.tsx';
import { DestinationForm, type Kind } from './destination-form.tsx';

/** Asks where posts should go, and then for what that needs. */
export function AddDestination({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind | null>(null);
  return kind === null ? (
    <ChooseKind onChoose={setKind} onClose={onClose} />
  ) : (
    <DestinationForm kind={kind} onBack={() => setKind(null)} onClose={onClose} />
  );
}
