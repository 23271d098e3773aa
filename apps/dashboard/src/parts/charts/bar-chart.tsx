const BAR = 8;
const GAP = 2;

export interface Bar {
  readonly key: string;
  /** In pixels. */
  readonly height: number;
  /** What a pointer that rests on it reads. */
  readonly title: string;
  readonly isBad?: boolean;
}

/**
 * Bars from left to right, as wide as there is room for `room` of them. Who cannot see them needs the numbers
 * elsewhere.
 */
export function BarChart(props: {
  label: string;
  bars: readonly Bar[];
  room: number;
  /** In pixels, as is the width at most. */
  height: number;
  maxWidth: number;
}) {
  return (
    <svg
      role="img"
      aria-label={props.label}
      viewBox={`0 0 ${props.room * (BAR + GAP)} ${props.height}`}
      preserveAspectRatio="none"
      style={{ width: '100%', maxWidth: props.maxWidth, height: props.height }}
    >
      {props.bars.map(({ key, height, title, isBad }, index) => (
        <rect
          key={key}
          x={index * (BAR + GAP)}
          y={props.height - height}
          width={BAR}
          height={height}
          fill={isBad ? 'var(--mantine-color-error)' : 'var(--mantine-color-anchor)'}
        >
          <title>{title}</title>
        </rect>
      ))}
    </svg>
  );
}
