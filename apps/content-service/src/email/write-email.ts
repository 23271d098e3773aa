import type { EmailFacts } from './email-kinds.ts';

/** An email as it is sent: plain text. */
export interface WrittenEmail {
  readonly subject: string;
  readonly text: string;
}

const PRODUCT = 'Blog Content Service';
/** Most characters of a project’s name, and of what was said elsewhere. */
const MAX_EMAILED_NAME = 80;
const MAX_EMAILED_DETAIL = 500;

/** @param dashboardUrl what links begin with, without a slash at its end. */
export function writeEmail(facts: EmailFacts, dashboardUrl: string): WrittenEmail {
  switch (facts.kind) {
    case 'account_invitation': {
      const who = facts.invitedBy ?? 'The administrator';
      const what = facts.project === null ? '' : ` to write in “${nameIn(facts.project)}”`;
      return email(`You are invited to ${PRODUCT}`, [
        `${who} invites you${what}.`,
        'Choose a password at this link. It makes your account, and it can be used once:',
        `${dashboardUrl}/invitation#${facts.token}`,
        ends(facts.endsAt),
        NOT_EXPECTED,
      ]);
    }
    case 'member_invitation': {
      const name = nameIn(facts.project);
      const role = facts.role === 'owner' ? 'an owner' : 'an editor';
      return email(`You are invited to “${name}”`, [
        `${facts.invitedBy} invites you to “${name}” as ${role}.`,
        'Sign in with this address, and accept or decline on your account page:',
        `${dashboardUrl}/account`,
        `If you have no account yet, ask ${facts.invitedBy} for one: the invitation waits for you.`,
        ends(facts.endsAt),
        NOT_EXPECTED,
      ]);
    }
    case 'password_reset':
      return email('Set a new password', [
        `Somebody, you we hope, asked for a new password for your account of ${PRODUCT}. Set it at this link, which can be used once:`,
        `${dashboardUrl}/password-reset#${facts.token}`,
        `${ends(facts.endsAt)} Until you use it, your password stays as it is.`,
        NOT_EXPECTED,
      ]);
    case 'receiver_failing': {
      const receiver = oneLine(facts.receiver, MAX_EMAILED_NAME);
      const reason = facts.detail === null ? [] : [`What it was last: ${oneLine(facts.detail, MAX_EMAILED_DETAIL)}`];
      return email(`${receiver} takes no posts of “${nameIn(facts.project)}”`, [
        `The last ${facts.failed_deliveries} deliveries of “${nameIn(facts.project)}” to ${receiver} have failed, the first on ${date(new Date(facts.failing_since))}.`,
        ...reason,
        'Nothing was switched off. You hear of it again only if it fails anew after it has recovered. What was sent and answered is here:',
        `${dashboardUrl}/projects/${facts.project_id}/webhooks/${facts.integration_id}`,
        OWNERS,
      ]);
    }
    case 'autopilot_stopped': {
      const name = nameIn(facts.project);
      const stands = facts.goes_on === 'when_resumed' ? 'has stopped' : 'waits';
      return email(`The autopilot of “${name}” ${stands}`, [
        `The autopilot of “${name}” ${stands}. ${oneLine(facts.detail, MAX_EMAILED_DETAIL)}`,
        `${dashboardUrl}/projects/${facts.project_id}/autopilot`,
        OWNERS,
      ]);
    }
  }
}

const NOT_EXPECTED = 'If you did not expect this email, you need not do anything.';
const OWNERS = 'You get this because you are an owner of the project.';

const email = (subject: string, paragraphs: readonly string[]): WrittenEmail => ({
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});

const ends = (at: Date): string => `It ends on ${date(at)}.`;

const date = (at: Date): string =>
  `${at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

const nameIn = (name: string): string => oneLine(name, MAX_EMAILED_NAME);

/** What people have written, as one line: neither line breaks nor characters that turn what follows around. */
function oneLine(text: string, max: number): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}
