import type { Setup, StepName } from './use-setup.ts';

/** The steps in their order, with which of them are done. */
export function stepsOf(setup: Setup): readonly { readonly name: StepName; readonly isDone: boolean }[] {
  return [
    { name: 'write', isDone: setup.post !== null || setup.published !== null },
    { name: 'connect', isDone: setup.publicKey !== null || setup.hasWebhook },
    { name: 'publish', isDone: setup.published !== null },
  ];
}

/** Whether Home shows the guide: until it is hidden, and where it was begun also once all is done. */
export function showsGuide(visibility: 'open' | 'hidden' | 'finished' | null, isDone: boolean): boolean {
  return visibility === 'open' || (visibility === null && !isDone);
}
