import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Alone } from '../parts/alone.tsx';
import { useLate } from '../parts/later/use-late.ts';
import { notify } from '../parts/notify.ts';
import { Problem } from '../parts/problem.tsx';
import { SignInPage } from '../session/sign-in-page.tsx';
import { resumeSession, useSession } from '../session/session.ts';
import { Loading } from '../parts/loading.tsx';

/** Pages without a session: most hold a link’s token instead. */
const OPEN = ['/invitation', '/forgotten-password', '/password-reset'];

export function Root() {
  const session = useSession();
  const open = useRouterState({ select: (state) => OPEN.includes(state.location.pathname.replace(/\/$/, '')) });
  switch (session.kind) {
    case 'unknown':
      return <Loading />;
    case 'unreachable':
      return (
        <Alone>
          <Problem error={session.error} onRetry={() => void resumeSession()} />
        </Alone>
      );
    case 'signed-out':
      return open ? <Outlet /> : <SignInPage />;
    case 'signed-in':
    case 'expired':
      return (
        <>
          <Outlet />
          <SignInAgainSoon />
        </>
      );
  }
}

/** Its code is loaded long before a session expires, and then again should that have failed. */
function SignInAgainSoon() {
  const { Component: SignInAgain, need } = useLate(
    async () => (await import('../session/sign-in-again.tsx')).SignInAgain,
  );
  const isMissing = useSession().kind === 'expired' && SignInAgain === null;
  useEffect(() => {
    if (isMissing) need().catch((error: unknown) => notify.failed(error));
  }, [isMissing]);
  return SignInAgain && <SignInAgain />;
}
