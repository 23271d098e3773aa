import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { NewPasswordPage } from '../../session/new-password-page.tsx';
import { resetPasswordCall } from '../../session/session-calls.ts';
import { session as text } from '../../strings/session.ts';

/** Where a reset link leads. */
export function Page() {
  const [isDone, setIsDone] = useState(false);
  return (
    <NewPasswordPage
      title={text.resetTitle}
      text={text.resetText}
      confirm={text.resetDo}
      onGiven={async (token, password) => {
        await resetPasswordCall(token, password);
        setIsDone(true);
      }}
      {...(isDone && {
        done: (
          <>
            <Text role="status">{text.resetDone}</Text>
            <Anchor component={Link} to="/">
              {text.toSignIn}
            </Anchor>
          </>
        ),
      })}
    />
  );
}
