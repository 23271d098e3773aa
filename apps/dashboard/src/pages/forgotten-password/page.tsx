import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { askForResetCall } from '../../session/session-calls.ts';
import { Refusal, SessionCard } from '../../session/session-card.tsx';
import { useSendsEmail } from '../../session/use-sends-email.ts';
import { session as text } from '../../strings/session.ts';

/** Where people who can't sign in request a reset link. It says the same whether the address has an account or not. */
export function Page() {
  const sendsEmail = useSendsEmail();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { isPending, error, mutate } = useMutation({
    mutationFn: async (email: string) => {
      await askForResetCall(email);
      setSentTo(email);
    },
  });
  const isTooOften = error instanceof ApiError && error.status === 429;
  return (
    <SessionCard>
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
              mutate(formText(new FormData(event.currentTarget), 'email').trim());
            }}
          >
            <Stack>
              <Text>{text.forgottenText}</Text>
              <Refusal error={error} known={isTooOften ? text.forgottenTooOften : null} />
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
              <Button type="submit" loading={isPending}>
                {text.forgottenDo}
              </Button>
            </Stack>
          </form>
        )}
        <Anchor component={Link} to="/" size="sm">
          {text.toSignIn}
        </Anchor>
      </PageFrame>
    </SessionCard>
  );
}
