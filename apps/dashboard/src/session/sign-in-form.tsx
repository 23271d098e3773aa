import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { formText } from '../parts/forms/form-text.ts';
import { PasswordInput, TextInput } from '../parts/forms/inputs.tsx';
import { session as text } from '../strings/session.ts';
import { Refusal } from './session-card.tsx';
import { signIn } from './session.ts';

/** Email and password. With `email` given, only that account may sign in. */
export function SignInForm({ email }: { email?: string }) {
  const { isPending, error, mutate } = useMutation({
    mutationFn: (given: FormData) => signIn(email ?? formText(given, 'email').trim(), formText(given, 'password')),
  });
  const isWrong = error instanceof ApiError && error.status === 401;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate(new FormData(event.currentTarget));
      }}
    >
      <Stack>
        <Refusal error={error} known={isWrong ? text.wrong : null} />
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
        <Button type="submit" loading={isPending}>
          {text.signIn}
        </Button>
      </Stack>
    </form>
  );
}
