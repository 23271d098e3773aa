import { Radio } from '@mantine/core';
import { Badge } from './badge.tsx';
import styles from './radio-cards.module.css';

export interface RadioCard<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** One or two lines on what it means. */
  readonly hint: string;
  /** Such as that it is recommended. */
  readonly badge?: string;
}

/** One of a few choices that need a line of explanation each. */
export function RadioCards<Value extends string>(props: {
  label: string;
  description?: string;
  cards: readonly RadioCard<Value>[];
  value: Value;
  disabled?: boolean;
  onChange: (value: Value) => void;
}) {
  const { label, description, cards, value, disabled = false, onChange } = props;
  return (
    <Radio.Group label={label} description={description} value={value} onChange={onChange}>
      <div className={styles['cards']}>
        {cards.map((card) => (
          <div key={card.value} className={styles['card']}>
            <Radio value={card.value} label={card.label} description={card.hint} disabled={disabled} />
            {card.badge !== undefined && (
              <span className={styles['badge']}>
                <Badge tone="accent">{card.badge}</Badge>
              </span>
            )}
          </div>
        ))}
      </div>
    </Radio.Group>
  );
}
