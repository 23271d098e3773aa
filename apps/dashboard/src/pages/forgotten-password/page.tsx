import { Alert, Anchor, Button, Center, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { askForResetCall } from '../../session/session-calls.ts';
import { useSendsEmail } from '../../session/use-sends-email.ts';
import { session as text } from '../../strings/session.ts';

/** Where whoever cannot sign in has a reset link sent. It says the same whether the address has an account or not. */
export function Page() {
  const sendsEmail = useSendsEmail();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (email: string) => {
    setRunning(true);
    setError(null);
    try {
      await askForResetCall(email);
      setSentTo(email);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="lg" w="100%" maw={400}>
        <PageFrame title={text.forgottenTitle}>
          {sentTo !== null ? (
            <div role="status">
              <Text style={{ overflowWrap: 'anywhere' }}>{text.forgottenDone(sentTo)}</Text>
              <Text size="sm" c="dimmed" mt="xs">
                {text.forgottenLate}
              </Text>
            </div>
          ) : sendsEmail === false ? (
            <Text>{text.forgottenAsk}</Text>
          ) : (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                void submit(formText(new FormData(event.currentTarget), 'email').trim());
              }}
            >
              <Stack>
                <Text>{text.forgottenText}</Text>
                {error instanceof ApiError && error.status === 429 ? (
                  <Alert color="red" variant="outline" role="alert">
                    {text.forgottenTooOften}
                  </Alert>
                ) : (
                  error !== null && <Problem error={error} />
                )}
                <TextInput
                  name="email"
                  type="email"
                  label={text.email}
                  autoComplete="username"
                  maxLength={320}
                  required
                  autoFocus
                  error={error === null ? undefined : fieldErrors(error)['email']}
                />
                <Button type="submit" loading={running}>
                  {text.forgottenDo}
                </Button>
              </Stack>
            </form>
          )}
          <Anchor component={Link} to="/" size="sm">
            {text.toSignIn}
          </Anchor>
        </PageFrame>
      </Paper>
    </Center>
  );
}
