import { useState } from 'react';

/** What a form sends, one at a time. */
export interface Submission<Input> {
  readonly running: boolean;
  /** Why the last one failed; null while none has, and while one runs. */
  readonly error: unknown;
  /** Never rejects. */
  readonly submit: (input: Input) => Promise<void>;
  readonly clearError: () => void;
}

/** Keeps whether a form is being sent, and why that failed. */
export function useSubmit<Input = void>(send: (input: Input) => Promise<unknown>): Submission<Input> {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return {
    running,
    error,
    clearError: () => setError(null),
    async submit(input) {
      setRunning(true);
      setError(null);
      try {
        await send(input);
      } catch (refusal) {
        setError(refusal);
      } finally {
        setRunning(false);
      }
    },
  };
}
