import '@mantine/core/styles.layer.css';
import '../app/looks/looks.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { cssVariablesResolver, theme } from '../app/theme.ts';
import { DocsPage } from './docs-page.tsx';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <DocsPage />
    </MantineProvider>
  </StrictMode>,
);
