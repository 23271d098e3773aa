import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Building2 } from 'lucide-react';
import { Alone } from '../../parts/alone.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Section } from '../../parts/section.tsx';
import { useSession } from '../../session/session.ts';
import { account as text } from '../../strings/account.ts';
import { tenants } from '../../strings/tenants.ts';
import { Accounts } from './accounts.tsx';
import { PasswordForm } from './password-form.tsx';
import { ReceivedInvitations } from './received-invitations.tsx';
import { Sessions } from './sessions.tsx';

/** What belongs to a person, not to a project. */
export function Page() {
  const session = useSession();
  if (!('account' in session)) return null;
  const { email, is_administrator: isAdministrator } = session.account;
  return (
    <Alone>
      <PageFrame
        title={text.title}
        description={<span style={{ overflowWrap: 'anywhere' }}>{text.signedInAs(email)}</span>}
        actions={
          <Button component={Link} to="/" variant="default" leftSection={<ArrowLeft />}>
            {text.back}
          </Button>
        }
      >
        <ReceivedInvitations />
        <Section title={text.password}>
          <PasswordForm email={email} />
        </Section>
        <Section title={text.sessions}>
          <Sessions />
        </Section>
        {isAdministrator && (
          <Section title={tenants.title}>
            <Text c="dimmed">{tenants.openText}</Text>
            <Group>
              <Button component={Link} to="/tenants" variant="default" leftSection={<Building2 />}>
                {tenants.open}
              </Button>
            </Group>
          </Section>
        )}
        {isAdministrator && (
          <Section title={text.accounts}>
            <Accounts />
          </Section>
        )}
      </PageFrame>
    </Alone>
  );
}
