import { Alert, Button, Center, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { PageFrame } from '../parts/page-frame.tsx';
import { ApiError } from '../api/api-error.ts';
import { fieldErrors } from '../parts/explain-error.ts';
import { formText } from '../parts/forms/form-text.ts';
import { Problem } from '../parts/problem.tsx';
import { session as text } from '../strings/session.ts';
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
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const refused = error === null ? {} : fieldErrors(error);
  const submit = async (given: FormData) => {
    setRunning(true);
    setError(null);
    try {
      await props.onGiven(token, formText(given, 'password'));
    } catch (refusal) {
      setError(refusal);
    } finally {
      setRunning(false);
    }
  };
  const badToken = error instanceof ApiError && (error.status === 404 || refused['token'] !== undefined);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="lg" w="100%" maw={400}>
        <PageFrame title={props.title}>
          {props.done ??
            (token === '' ? (
              <Text>{text.noToken}</Text>
            ) : 'account' in session ? (
              <>
                <Text style={{ overflowWrap: 'anywhere' }}>{text.signedInAs(session.account.email)}</Text>
                <Button onClick={() => void signOut()}>{text.signOut}</Button>
              </>
            ) : (
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  void submit(new FormData(event.currentTarget));
                }}
              >
                <Stack>
                  <Text>{props.text}</Text>
                  {badToken ? (
                    <Alert color="red" variant="outline" role="alert">
                      {text.badToken}
                    </Alert>
                  ) : (
                    error !== null && <Problem error={error} />
                  )}
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
                  <Button type="submit" loading={running}>
                    {props.confirm}
                  </Button>
                </Stack>
              </form>
            ))}
        </PageFrame>
      </Paper>
    </Center>
  );
}
