/** Lines of each icon, in a square of 16. */
const LINES = {
  down: 'M4 6.5l4 4 4-4',
  bold: 'M4.5 3h4a2.3 2.3 0 0 1 0 4.8h-4zM4.5 7.8h4.8a2.6 2.6 0 0 1 0 5.2H4.5z',
  italic: 'M7 3h5M4 13h5M9.8 3l-3.6 10',
  code: 'M5.5 4L1.5 8l4 4M10.5 4l4 4-4 4',
  link: 'M6.5 9.5l3-3M7 5l1.6-1.6a2.8 2.8 0 0 1 4 4L11 9M9 11l-1.6 1.6a2.8 2.8 0 0 1-4-4L5 7',
  bullets: 'M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  numbers: 'M7 4h7M7 8h7M7 12h7M2 3l1.2-.6v3.4M1.8 10.4c.2-1 2.2-1 2.1.2 0 .9-2 1.7-2.1 2.8h2.2',
  quote: 'M2.5 3v10M6 4.5h8M6 8h8M6 11.5h5',
  undo: 'M5.5 2.5L2.5 5.5l3 3M2.5 5.5h6.8a4 4 0 0 1 0 8H6',
  redo: 'M10.5 2.5l3 3-3 3M13.5 5.5H6.7a4 4 0 0 0 0 8H10',
} as const;

/** A small drawing that says nothing to who cannot see it: what it stands on has a name. */
export function Icon({ name }: { name: keyof typeof LINES }) {
  return (
    <svg
      aria-hidden
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={LINES[name]} />
    </svg>
  );
}

export type IconName = keyof typeof LINES;
