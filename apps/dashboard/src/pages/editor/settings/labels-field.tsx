import { useState, type ReactNode } from 'react';
import { TextInput } from '../../../parts/forms/inputs.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { addLabels } from './add-labels.ts';
import styles from './labels-field.module.css';

/** Categories or tags: typed one after the other, and taken away one by one. */
export function LabelsField(props: {
  /** Of the field that is typed in. */
  id: string;
  label: string;
  value: readonly string[];
  error: ReactNode;
  onChange: (value: string[]) => void;
}) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState('');
  const add = () => {
    const next = addLabels(value, typed);
    setTyped('');
    if (next.length > value.length) onChange(next);
  };
  return (
    <div role="group" aria-label={props.label}>
      <TextInput
        id={props.id}
        label={props.label}
        placeholder={strings.settings.labelsPlaceholder}
        error={props.error}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1));
          if (event.key !== 'Enter' && event.key !== ',') return;
          event.preventDefault();
          add();
        }}
      />
      {value.length > 0 && (
        <ul className={styles['labels']}>
          {value.map((label) => (
            <li key={label} className={styles['label']}>
              {label}
              <button
                type="button"
                className={styles['remove']}
                aria-label={strings.settings.removeLabel(label)}
                onClick={() => onChange(value.filter((other) => other !== label))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
