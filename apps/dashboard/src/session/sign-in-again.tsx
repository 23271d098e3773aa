import { Button, Stack, Text } from '@mantine/core';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { session as text } from '../strings/session.ts';
import { signOut, useSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Over the page whose session has ended: the calls of the page wait, and go on after the sign-in. */
export function SignInAgain() {
  const session = useSession();
  if (session.kind !== 'expired') return null;
  return (
    <Dialog opened closable={false} onClose={() => undefined} title={text.againTitle}>
      <Stack>
        <Text size="sm">{text.againText(session.account.email)}</Text>
        <SignInForm email={session.account.email} />
        <Button variant="subtle" onClick={() => void signOut()}>
          {text.otherAccount}
        </Button>
      </Stack>
    </Dialog>
  );
}
