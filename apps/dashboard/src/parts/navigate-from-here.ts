import { useNavigate, type UseNavigateResult } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';

/** `useNavigate` for an answer that may be late: it does nothing once another page is open. */
export function useNavigateFromHere(): UseNavigateResult<string> {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback<UseNavigateResult<string>>(
    (options) => (isHere.current ? navigate(options) : Promise.resolve()),
    [navigate],
  );
}
