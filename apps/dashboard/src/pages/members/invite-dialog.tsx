import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { addMember, createInvitation } from '../../generated/sdk.gen.ts';
import type { MemberRole } from '../../generated/types.gen.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { RadioCards } from '../../parts/looks/radio-cards.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { useSession } from '../../session/session.ts';
import { useSendsEmail } from '../../session/use-sends-email.ts';
import { common } from '../../strings/common.ts';
import { members as text } from '../../strings/members.ts';

interface InviteFields {
  readonly email: string;
  readonly role: MemberRole;
}

/**
 * Invites by email. Only an administrator may let people in who have no account yet: then there is a link to hand
 * over, which is shown this once.
 */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const sendsEmail = useSendsEmail();
  const isAdministrator = 'account' in session && session.account.is_administrator;
  const invite = useInvite(isAdministrator);
  const [role, setRole] = useState<MemberRole>('editor');
  const made = invite.data;
  if (made !== undefined) {
    return (
      <Dialog
        opened
        onClose={onClose}
        title={made.token === null || made.is_emailed ? text.invited(made.email) : text.linkTitle}
        closable={made.token === null}
      >
        <Invited invitation={made} onClose={onClose} />
      </Dialog>
    );
  }
  const [alone, sent] = isAdministrator
    ? [text.inviteTextAdministrator, text.inviteTextAdministratorSent]
    : [text.inviteText, text.inviteTextSent];
  const intro = sendsEmail === true ? sent : alone;
  const refused = refusedOf(invite.error);
  return (
    <Dialog opened onClose={onClose} title={text.inviteTitle} closable={!invite.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ email: formText(new FormData(event.currentTarget), 'email').trim(), role });
        }}
      >
        <Stack>
          <Text size="sm">{intro}</Text>
          {invite.error && !isMember(invite.error) && <Problem error={invite.error} />}
          <TextInput
            name="email"
            type="email"
            label={text.email}
            required
            maxLength={320}
            autoComplete="off"
            error={refused['email']}
            data-autofocus
          />
          <RadioCards
            label={text.role}
            value={role}
            onChange={setRole}
            cards={(['editor', 'owner'] as const).map((value) => ({
              value,
              label: text[value],
              hint: text.roleHints[value],
            }))}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={invite.isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {sendsEmail === true ? text.inviteConfirm : text.inviteConfirmSilent}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

const isMember = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && error.problem?.detail?.includes('already a member') === true;

const refusedOf = (error: unknown): Readonly<Record<string, string>> =>
  isMember(error) ? { email: text.isMember } : error === null ? {} : fieldErrors(error);

/** Invites to the project; an administrator also those who have no account yet. */
function useInvite(isAdministrator: boolean) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  // A key for what was given: pressed again after a refusal with other words, it is another request.
  const key = useRef({ of: '', key: '' });
  return useMutation({
    mutationFn: async (given: InviteFields) => {
      const of = `${given.email} ${given.role}`;
      if (key.current.of !== of) key.current = { of, key: idempotencyKey() };
      const headers = { 'Idempotency-Key': key.current.key };
      if (isAdministrator) {
        try {
          const { data } = await createInvitation({
            body: { ...given, project_id: projectId },
            headers,
            throwOnError: true,
          });
          return data;
        } catch (error) {
          // 409: the address has an account, so the person is invited to the project alone.
          if (!(error instanceof ApiError) || error.status !== 409) throw error;
        }
      }
      const { data } = await addMember({ path: { projectId }, body: given, headers, throwOnError: true });
      return { ...data, token: null };
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [{ _id: 'listMemberInvitations' }] }),
        queries.invalidateQueries({ queryKey: [{ _id: 'listInvitations' }] }),
      ]),
  });
}

/** The result of an invitation. `token` belongs to a link to pass on, which is shown once. */
interface Invitation {
  readonly email: string;
  readonly token: string | null;
  readonly expires_at: string;
  readonly is_emailed: boolean;
}

function Invited({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { email, token, expires_at, is_emailed: isEmailed } = invitation;
  const link = isEmailed ? text.sentLinkText : text.linkText(email);
  return (
    <Stack>
      {isEmailed && <Text size="sm">{text.sent(email)}</Text>}
      <Text size="sm">{token === null ? text.hasAccount(email) : link}</Text>
      {token !== null && <CopyField value={`${window.location.origin}/invitation#${token}`} what={text.link} />}
      <Text size="sm" c="dimmed">
        {text.expires} <When iso={expires_at} />
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{common.close}</Button>
      </Group>
    </Stack>
  );
}
