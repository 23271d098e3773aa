import { Outlet, useRouterState } from '@tanstack/react-router';
import { Alone } from '../parts/alone.tsx';
import { Problem } from '../parts/problem.tsx';
import { SignInAgain } from '../session/sign-in-again.tsx';
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
          <SignInAgain />
        </>
      );
  }
}
