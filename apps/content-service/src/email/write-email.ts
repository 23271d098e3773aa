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
      return email(`You’re invited to ${PRODUCT}`, [
        `${who} invited you${what}.`,
        'Choose a password to create your account. This link works once:',
        `${dashboardUrl}/invitation#${facts.token}`,
        ends(facts.endsAt),
        NOT_EXPECTED,
      ]);
    }
    case 'member_invitation': {
      const name = nameIn(facts.project);
      const role = facts.role === 'owner' ? 'an owner' : 'an editor';
      return email(`You’re invited to “${name}”`, [
        `${facts.invitedBy} invited you to “${name}” as ${role}.`,
        'Sign in with this email address, then accept or decline on your account page:',
        `${dashboardUrl}/account`,
        `No account yet? Ask ${facts.invitedBy} for one. The invitation stays open.`,
        ends(facts.endsAt),
        NOT_EXPECTED,
      ]);
    }
    case 'password_reset':
      return email('Reset your password', [
        `Someone requested a new password for your ${PRODUCT} account. To set it, open this link. It works once:`,
        `${dashboardUrl}/password-reset#${facts.token}`,
        `${ends(facts.endsAt)} Your current password works until then.`,
        NOT_EXPECTED,
      ]);
    case 'receiver_failing': {
      const receiver = oneLine(facts.receiver, MAX_EMAILED_NAME);
      const reason = facts.detail === null ? [] : [`Last error: ${oneLine(facts.detail, MAX_EMAILED_DETAIL)}`];
      return email(`Deliveries to “${receiver}” are failing`, [
        `The last ${facts.failed_deliveries} deliveries of “${nameIn(facts.project)}” to “${receiver}” have failed, starting ${date(new Date(facts.failing_since))}.`,
        ...reason,
        'Deliveries continue. You get another email only if it recovers and fails again. See the requests and responses:',
        `${dashboardUrl}/projects/${facts.project_id}/webhooks/${facts.integration_id}`,
        OWNERS,
      ]);
    }
    case 'autopilot_stopped': {
      const name = nameIn(facts.project);
      const stands = facts.goes_on === 'when_resumed' ? 'has stopped' : 'is waiting';
      return email(`The autopilot of “${name}” ${stands}`, [
        `The autopilot of “${name}” ${stands}. ${oneLine(facts.detail, MAX_EMAILED_DETAIL)}`,
        `${dashboardUrl}/projects/${facts.project_id}/autopilot`,
        OWNERS,
      ]);
    }
  }
}

const NOT_EXPECTED = 'If you didn’t expect this email, you can ignore it.';
const OWNERS = 'You get this email because you own the project.';

const email = (subject: string, paragraphs: readonly string[]): WrittenEmail => ({
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});

const ends = (at: Date): string => `The link expires on ${date(at)}.`;

const date = (at: Date): string =>
  `${at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

const nameIn = (name: string): string => oneLine(name, MAX_EMAILED_NAME);

/** What people have written, as one line: neither line breaks nor characters that turn what follows around. */
function oneLine(text: string, max: number): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}
