import { ActionIcon } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { KeyboardEvent } from 'react';

/** A button of a bar over the text. */
export function Tool(props: { name: string; icon: LucideIcon; on?: boolean; danger?: boolean; run: () => void }) {
  const { icon: Icon } = props;
  return (
    <ActionIcon
      variant={props.on === true ? 'light' : 'subtle'}
      color={props.danger === true ? 'red' : props.on === true ? 'accent' : 'gray'}
      size="md"
      aria-label={props.name}
      // Tooltips of Mantine’s would take a tenth of what opening a post takes.
      title={props.name}
      {...(props.on !== undefined && { 'aria-pressed': props.on })}
      onClick={props.run}
      // The selection in the text stays.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Icon />
    </ActionIcon>
  );
}

/** The arrow keys move between the buttons of a bar; Escape goes back to the text. */
export const moveFocus = (back: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  if (event.key === 'Escape') back();
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
  if (!(event.target instanceof HTMLButtonElement) || event.target.closest('[role=toolbar]') === null) return;
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const next = tools.indexOf(event.target) + (event.key === 'ArrowRight' ? 1 : -1);
  tools.at(next % tools.length)?.focus();
};
