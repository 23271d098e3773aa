import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { PasswordInput } from '../parts/forms/inputs.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { ApiError } from '../api/api-error.ts';
import { fieldErrors } from '../parts/explain-error.ts';
import { formText } from '../parts/forms/form-text.ts';
import { PageLink } from '../parts/page-link.tsx';
import { common } from '../strings/common.ts';
import { session as text } from '../strings/session.ts';
import { Refusal, SessionCard } from './session-card.tsx';
import { signOut, useSession } from './session.ts';

/** A page for the token behind the `#` of a link, which no server log sees: it asks for a password. */
export function NewPasswordPage(props: {
  title: string;
  text: string;
  confirm: string;
  onGiven: (token: string, password: string) => Promise<void>;
  /** In place of the form, once it was done. */
  done?: ReactNode;
}) {
  const session = useSession();
  const [token] = useState(() => window.location.hash.slice(1));
  const { isPending, error, mutate } = useMutation({
    mutationFn: (given: FormData) => props.onGiven(token, formText(given, 'password')),
  });
  const refused = error === null ? {} : fieldErrors(error);
  const badToken = error instanceof ApiError && (error.status === 404 || refused['token'] !== undefined);
  return (
    <SessionCard>
      <PageFrame title={props.title}>
        {props.done ??
          (token === '' ? (
            <>
              <Text>{text.noToken}</Text>
              <div>
                <PageLink to="/">{common.backHome}</PageLink>
              </div>
            </>
          ) : 'account' in session ? (
            <>
              <Text style={{ overflowWrap: 'anywhere' }}>{text.signedInAs(session.account.email)}</Text>
              <Button onClick={() => void signOut()}>{text.signOut}</Button>
            </>
          ) : (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                mutate(new FormData(event.currentTarget));
              }}
            >
              <Stack>
                <Text>{props.text}</Text>
                <Refusal error={error} known={badToken ? text.badToken : null} />
                <PasswordInput
                  name="password"
                  label={text.newPassword}
                  description={text.newPasswordHint}
                  autoComplete="new-password"
                  minLength={12}
                  maxLength={1000}
                  required
                  autoFocus
                  error={refused['password'] ?? refused['new_password']}
                />
                <Button type="submit" loading={isPending}>
                  {props.confirm}
                </Button>
              </Stack>
            </form>
          ))}
      </PageFrame>
    </SessionCard>
  );
}
