import { Alert, Typography } from '@mantine/core';
import { useEffect } from 'react';
import { Loading } from '../parts/loading.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { docs as text } from '../strings/sites/docs.ts';
import { DocsFrame } from './docs-frame.tsx';
import { LOCAL_ORIGIN, type GuideName } from './guide.ts';
import styles from './guide.module.css';
import { LOAD_GUIDE } from './load-guide.ts';
import { useLoaded } from './use-loaded.ts';

export function GuidePage({ name }: { name: GuideName }) {
  const loaded = useLoaded(LOAD_GUIDE[name]);
  const guide = loaded.kind === 'loaded' ? loaded.value.default : undefined;
  useEffect(() => {
    // The browser looked for the section before it was there.
    if (guide) document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView();
  }, [guide]);
  return (
    <DocsFrame current={name} sections={guide?.sections}>
      {loaded.kind === 'loading' && <Loading />}
      {loaded.kind === 'failed' && <Alert color="red">{text.failed}</Alert>}
      {guide && (
        <PageFrame title={guide.title}>
          <Typography maw="75ch" className={styles['guide']}>
            <div dangerouslySetInnerHTML={{ __html: guide.html.replaceAll(LOCAL_ORIGIN, window.location.origin) }} />
          </Typography>
        </PageFrame>
      )}
    </DocsFrame>
  );
}
