import { ActionIcon, Button, Paper, Title } from '@mantine/core';
import { Check, X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { notify } from '../../../parts/notify.ts';
import { useProject } from '../../../parts/project.tsx';
import { setup as text } from '../../../strings/sites/setup.ts';
import { ConnectStep } from './connect-step.tsx';
import styles from './guide.module.css';
import { PublishStep } from './publish-step.tsx';
import { stepsOf } from './steps.ts';
import type { Setup, StepName } from './use-setup.ts';
import { setSetupGuide } from './visibility.ts';
import { WriteStep } from './write-step.tsx';

/** Three steps to a first published post. Each is ticked off by what happens in the project. */
export function SetupGuide({ setup }: { setup: Setup }) {
  const { id: projectId } = useProject();
  const steps = stepsOf(setup);
  const done = steps.filter(({ isDone }) => isDone).length;
  // A project that has begun is on its way: the step that comes next is open, or the one that was chosen.
  const next = steps.find(({ isDone }) => !isDone)?.name ?? 'publish';
  const [chosen, setChosen] = useState<StepName | 'none' | null>(null);
  const open = chosen ?? next;
  const hide = () => {
    setSetupGuide(projectId, 'hidden');
    notify.done(text.hidden, { label: text.show, run: () => setSetupGuide(projectId, 'open') });
  };
  const contents: Record<StepName, ReactNode> = {
    write: <WriteStep setup={setup} />,
    connect: <ConnectStep setup={setup} onMade={() => setChosen('connect')} onNext={() => setChosen('publish')} />,
    publish: <PublishStep setup={setup} onConnect={() => setChosen('connect')} />,
  };
  return (
    <Paper withBorder component="section" aria-label={text.title} className={styles['guide']}>
      <div className={styles['head']}>
        <div>
          <Title order={2} size="h3">
            {text.heading}
          </Title>
          <span className={styles['progress']}>{text.progress(done, steps.length)}</span>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label={text.hide} title={text.hide} onClick={hide}>
          <X />
        </ActionIcon>
      </div>
      <div className={styles['bar']} data-done={done} />
      <ol className={styles['steps']}>
        {steps.map(({ name, isDone }, index) => (
          <Step
            key={name}
            number={index + 1}
            title={text[name].title}
            isDone={isDone}
            isOpen={open === name}
            onToggle={() => setChosen(open === name ? 'none' : name)}
          >
            {contents[name]}
          </Step>
        ))}
      </ol>
      {done === steps.length && (
        <div className={styles['end']}>
          <Button onClick={() => setSetupGuide(projectId, 'finished')}>{text.finish}</Button>
        </div>
      )}
    </Paper>
  );
}

function Step(props: {
  number: number;
  title: string;
  isDone: boolean;
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  const { number, title, isDone, isOpen, onToggle, children } = props;
  const id = useId();
  return (
    <li className={styles['step']} data-done={isDone || undefined}>
      <h3 className={styles['stepHead']}>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <span className={styles['mark']} aria-hidden>
            {isDone ? <Check /> : number}
          </span>
          {title}
          {isDone && <span className={styles['done']}>{text.done}</span>}
        </button>
      </h3>
      <div id={id} className={styles['content']} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  );
}
