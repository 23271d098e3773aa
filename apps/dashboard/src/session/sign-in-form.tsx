import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { ApiError } from '../api/api-error.ts';
import { formText } from '../parts/forms/form-text.ts';
import { Problem } from '../parts/problem.tsx';
import { session as text } from '../strings/session.ts';
import { signIn } from './session.ts';

/** Email and password. With `email` given, only that account may sign in. */
export function SignInForm({ email }: { email?: string }) {
  const [error, setError] = useState<unknown>(null);
  const [running, setRunning] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setRunning(true);
    setError(null);
    try {
      await signIn(email ?? formText(given, 'email').trim(), formText(given, 'password'));
    } catch (refusal) {
      setError(refusal);
      setRunning(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {error instanceof ApiError && error.status === 401 ? (
          <Alert color="red" variant="outline" role="alert">
            {text.wrong}
          </Alert>
        ) : (
          error !== null && <Problem error={error} />
        )}
        <TextInput
          name="email"
          type="email"
          label={text.email}
          autoComplete="username"
          required
          {...(email === undefined ? { autoFocus: true } : { value: email, readOnly: true })}
        />
        <PasswordInput
          name="password"
          label={text.password}
          autoComplete="current-password"
          required
          data-autofocus={email !== undefined || undefined}
        />
        <Button type="submit" loading={running}>
          {text.signIn}
        </Button>
      </Stack>
    </form>
  );
}
