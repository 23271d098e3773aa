import { useQuery } from '@tanstack/react-query';
import { sendsEmailCall } from './session-calls.ts';

/** Whether the service sends emails; undefined until that is known. Where it cannot be known, links are shown. */
export function useSendsEmail(): boolean | undefined {
  const { data, isError } = useQuery({ queryKey: ['sends email'], queryFn: sendsEmailCall, staleTime: Infinity });
  return isError ? false : data;
}
