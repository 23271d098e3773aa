import { useNavigate } from '@tanstack/react-router';
import { NewPasswordPage } from '../../session/new-password-page.tsx';
import { acceptInvitation } from '../../session/session.ts';
import { session as text } from '../../strings/session.ts';

/** Where an invitation’s link leads. It lets its holder create an account. */
export function Page() {
  const navigate = useNavigate();
  return (
    <NewPasswordPage
      title={text.invitationTitle}
      text={text.invitationText}
      confirm={text.invitationDo}
      onGiven={async (token, password) => {
        await acceptInvitation(token, password);
        await navigate({ to: '/', replace: true });
      }}
    />
  );
}
