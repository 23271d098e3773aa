import { ActionIcon } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { useLateMenu } from '../../parts/later/use-late-menu.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { useProject } from '../../parts/project.tsx';
import { home as text } from '../../strings/home.ts';
import { EditorSoon } from '../editor/editor-soon.tsx';
import { AttentionList } from './attention-list.tsx';
import { ContinueWriting } from './continue-writing.tsx';
import { FigureStrip } from './figure-strip.tsx';
import styles from './home.module.css';
import { showsGuide, stepsOf } from './setup/steps.ts';
import { useSetup } from './setup/use-setup.ts';
import { setSetupGuide, useSetupGuide } from './setup/visibility.ts';
import { Upcoming } from './upcoming.tsx';

/** Projects in use don’t show it. */
const SetupGuide = lazy(async () => ({ default: (await import('./setup/guide.tsx')).SetupGuide }));

export function Page() {
  const { id: projectId } = useProject();
  const setup = useSetup();
  const visibility = useSetupGuide(projectId);
  const isSetUp = setup ? stepsOf(setup).every(({ isDone }) => isDone) : true;
  const shown = setup ? showsGuide(visibility, isSetUp) : false;
  useEffect(() => {
    if (shown) setSetupGuide(projectId, 'open');
  }, [shown, projectId]);
  if (setup === undefined) {
    return (
      <PageFrame title={text.title}>
        <Loading />
      </PageFrame>
    );
  }
  const isInUse = setup === null || setup.published !== null;
  const guide = setup && shown && (
    <Suspense fallback={<GuideToCome />}>
      <SetupGuide setup={setup} />
    </Suspense>
  );
  return (
    <PageFrame title={text.title} actions={<More />}>
      {!isInUse && guide}
      <div className={styles['overview']}>
        {isInUse && <FigureStrip />}
        <AttentionList isNew={!isInUse} />
      </div>
      {isInUse && guide}
      <EditorSoon />
      {(isInUse || (setup.post !== null && !shown)) && (
        <div className={styles['columns']}>
          <ContinueWriting />
          <Upcoming />
        </div>
      )}
    </PageFrame>
  );
}

function GuideToCome() {
  return (
    <div className={styles['guideToCome']}>
      <Loading />
    </div>
  );
}

function More() {
  const { target, menu } = useLateMenu(async () => (await import('./more-items.tsx')).MoreItems);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.more} title={text.more} {...target}>
        <Ellipsis />
      </ActionIcon>
      {menu}
    </>
  );
}
