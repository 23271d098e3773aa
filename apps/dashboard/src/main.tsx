import './app/mantine.css';
import './app/looks/looks.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepFocus } from './app/keep-focus.ts';
import { setUpClient } from './app/set-up-client.ts';
import { router } from './app/router.tsx';
import { cssVariablesResolver, theme } from './app/theme.ts';
import { Toasts } from './parts/toasts/toasts.tsx';
import { forgetOnSignOut, resumeSession } from './session/session.ts';

const queries = setUpClient();
// What one person has seen is not for the next one.
forgetOnSignOut(() => queries.clear());
void resumeSession();
keepFocus();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Toasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
