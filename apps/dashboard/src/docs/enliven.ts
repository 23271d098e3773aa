import { docs as text } from '../strings/sites/docs.ts';

/** The language that the reader chose, in this browser. */
const KEY = 'blog-content.docs-language';

/** Makes the Copy buttons and tabs of rendered code work. @returns a function that removes the listeners. */
export function enliven(root: HTMLElement): () => void {
  const chosen = localStorage.getItem(KEY);
  if (chosen !== null) choose(root, chosen);
  for (const button of root.querySelectorAll<HTMLButtonElement>('[data-copy]')) button.textContent = text.copy;

  const onClick = ({ target }: MouseEvent) => {
    const button = (target as Element).closest('button');
    if (button?.matches('[data-copy]')) void copy(button);
    if (button?.matches('[role=tab]')) remember(button);
  };
  const onKey = (event: KeyboardEvent) => {
    const tab = (event.target as Element).closest<HTMLButtonElement>('[role=tab]');
    if (!tab || !['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
    const tabs = [...(tab.parentElement?.querySelectorAll<HTMLButtonElement>('[role=tab]') ?? [])];
    const step = event.key === 'ArrowRight' ? 1 : tabs.length - 1;
    const next = tabs[(tabs.indexOf(tab) + step) % tabs.length];
    if (!next) return;
    remember(next);
    next.focus();
  };
  /** Every block that has the language shows it; the block that was clicked stays where it is in the window. */
  const remember = (tab: HTMLElement) => {
    const { top } = tab.getBoundingClientRect();
    const language = tab.dataset['language'] ?? '';
    localStorage.setItem(KEY, language);
    choose(root, language);
    window.scrollBy(0, tab.getBoundingClientRect().top - top);
  };
  root.addEventListener('click', onClick);
  root.addEventListener('keydown', onKey);
  return () => {
    root.removeEventListener('click', onClick);
    root.removeEventListener('keydown', onKey);
  };
}

function choose(root: HTMLElement, language: string): void {
  for (const block of root.querySelectorAll('.code.tabbed')) {
    if (!block.querySelector(`[role=tab][data-language="${CSS.escape(language)}"]`)) continue;
    for (const tab of block.querySelectorAll<HTMLElement>('[role=tab]')) {
      const selected = tab.dataset['language'] === language;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
    for (const panel of block.querySelectorAll<HTMLElement>('[role=tabpanel]')) {
      panel.hidden = panel.dataset['language'] !== language;
    }
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? '');
  button.textContent = text.copied;
  setTimeout(() => (button.textContent = text.copy), 2000);
}
