import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, ListChecks } from 'lucide-react';
import { useEffect } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { useProject } from '../../parts/project.tsx';
import { home as text } from '../../strings/home.ts';
import { setup as setupText } from '../../strings/sites/setup.ts';
import { EditorSoon } from '../editor/editor-soon.tsx';
import { AttentionList } from './attention-list.tsx';
import { ContinueWriting } from './continue-writing.tsx';
import { FigureStrip } from './figure-strip.tsx';
import styles from './home.module.css';
import { SetupGuide } from './setup/guide.tsx';
import { showsGuide, stepsOf } from './setup/steps.ts';
import { useSetup } from './setup/use-setup.ts';
import { setSetupGuide, useSetupGuide } from './setup/visibility.ts';
import { Upcoming } from './upcoming.tsx';

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
  const guide = setup && shown && <SetupGuide setup={setup} />;
  return (
    <PageFrame title={text.title} actions={<More isGuideShown={shown} />}>
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

function More({ isGuideShown }: { isGuideShown: boolean }) {
  const { id: projectId } = useProject();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.more} title={text.more}>
          <Ellipsis />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ListChecks />}
          onClick={() => setSetupGuide(projectId, isGuideShown ? 'hidden' : 'open')}
        >
          {isGuideShown ? setupText.hide : setupText.title}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
