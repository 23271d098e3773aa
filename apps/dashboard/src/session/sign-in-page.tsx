import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { common } from '../strings/common.ts';
import { docs } from '../strings/sites/docs.ts';
import { session as text } from '../strings/session.ts';
import { SessionCard } from './session-card.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useSendsEmail } from './use-sends-email.ts';

/** Shown at the requested URL; the page follows after signing in. */
export function SignInPage() {
  const sendsEmail = useSendsEmail();
  useEffect(() => {
    document.title = `${text.title} · ${common.product}`;
  }, []);
  return (
    <SessionCard>
      <Stack>
        <Title order={1}>{text.title}</Title>
        <SignInForm />
        {sendsEmail === true && (
          <Anchor component={Link} to="/forgotten-password" size="sm">
            {text.forgotten}
          </Anchor>
        )}
        {sendsEmail === false && (
          <Text size="sm" c="dimmed">
            {text.forgottenAsk}
          </Text>
        )}
        <Anchor href="/docs" size="sm">
          {docs.both}
        </Anchor>
      </Stack>
    </SessionCard>
  );
}
