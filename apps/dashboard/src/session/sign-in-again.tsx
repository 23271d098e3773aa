import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { session as text } from '../strings/session.ts';
import { signOut, useSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Over the page whose session has ended: the calls of the page wait, and continue after the sign-in. */
export function SignInAgain() {
  const session = useSession();
  return session.kind === 'expired' && <AgainDialog email={session.account.email} />;
}

function AgainDialog({ email }: { email: string }) {
  // The rest of a sentence would go into the password, and Enter would send it.
  const [isWriting] = useState(() => document.activeElement?.matches(':read-write') === true);
  return (
    <Dialog opened closable={false} onClose={() => undefined} title={text.againTitle}>
      <Stack>
        <Text size="sm" tabIndex={-1} data-autofocus={isWriting || undefined} style={{ outline: 'none' }}>
          {text.againText(email)}
        </Text>
        <SignInForm email={email} />
        <Button variant="subtle" onClick={() => void signOut()}>
          {text.otherAccount}
        </Button>
      </Stack>
    </Dialog>
  );
}
