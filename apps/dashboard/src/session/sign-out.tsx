import { Navigate, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { signOut } from './session.ts';

/** Signs out on the way to a page of its own: as before any other page, what is not saved is saved, or asked about. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '/sign-out', state: { signsOut: true } });
}

/** Where `useSignOut` leads. A link from elsewhere signs nobody out. */
export function SignOut() {
  const isAsked = useRouterState({ select: ({ location }) => location.state.signsOut === true });
  useEffect(() => {
    if (isAsked) void signOut();
  }, []);
  return <Navigate to="/" replace />;
}
