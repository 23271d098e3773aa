import { ActionIcon } from '@mantine/core';
import { Table2 } from 'lucide-react';
import { useId, useState, type PointerEvent } from 'react';
import { common } from '../../strings/common.ts';
import { ChartTable, type ChartRow } from './chart-table.tsx';
import styles from './chart.module.css';

export interface Bar {
  readonly key: string;
  readonly value: number;
  /** When it was. */
  readonly at: string;
  /** The value in words, for the tooltip. */
  readonly said: string;
  readonly isBad?: boolean;
}

/** Below this a value could not be seen, in percent of the highest. */
const MIN_HEIGHT = 2;
/** A few bars are no blocks; in percent as well. */
const MAX_WIDTH = 4;

/**
 * Bars over a baseline, the oldest first, with gridlines at the half and the whole of the highest. The numbers are in a
 * table behind the icon, for those who cannot see bars and those who want them exactly.
 */
export function Chart(props: {
  /** What it shows, in a sentence. */
  label: string;
  bars: readonly Bar[];
  /** What the gridline of a value says. */
  format: (value: number) => string;
  table: { readonly label: string; readonly columns: readonly string[]; readonly rows: readonly ChartRow[] };
}) {
  const { label, bars, format, table } = props;
  const tableId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const slot = 100 / Math.max(1, bars.length);
  const width = Math.min(slot * 0.8, MAX_WIDTH);
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setShown(Math.min(bars.length - 1, Math.floor(((event.clientX - box.left) / box.width) * bars.length)));
  };
  const bar = shown === null ? undefined : bars[shown];
  return (
    <div>
      <div className={styles['plot']}>
        <svg
          role="img"
          aria-label={label}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          onPointerMove={point}
          onPointerLeave={() => setShown(null)}
        >
          <path className={styles['grid']} d="M0 0H100M0 50H100" />
          {bars.map(({ key, value, isBad }, index) => {
            const height = value === 0 ? 0 : Math.max(MIN_HEIGHT, (value / most) * 100);
            return (
              <rect
                key={key}
                x={(index + 0.5) * slot - width / 2}
                y={100 - height}
                width={width}
                height={height}
                data-bad={isBad || undefined}
                data-shown={index === shown || undefined}
              />
            );
          })}
          <path className={styles['base']} d="M0 100H100" />
        </svg>
        <span className={styles['most']} aria-hidden>
          {format(most)}
        </span>
        {bar && (
          <div className={styles['tooltip']} style={{ left: `${Math.min(85, Math.max(15, (shown! + 0.5) * slot))}%` }}>
            <b>{bar.said}</b> {bar.at}
          </div>
        )}
      </div>
      <div className={styles['foot']}>
        <span>{bars[0]?.at}</span>
        <span>{bars.length > 1 && bars.at(-1)?.at}</span>
        <ActionIcon
          className={styles['toTable']}
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={common.showTable(table.label)}
          title={common.showTable(table.label)}
          aria-expanded={isOpen}
          aria-controls={tableId}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Table2 />
        </ActionIcon>
      </div>
      <div id={tableId} hidden={!isOpen}>
        {isOpen && <ChartTable {...table} />}
      </div>
    </div>
  );
}
