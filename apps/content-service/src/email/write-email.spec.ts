import fc from 'fast-check';
import type { EmailFacts } from './email-kinds.ts';
import { writeEmail } from './write-email.ts';

const ORIGIN = 'https://blog.example';
const endsAt = new Date('2026-12-01T15:06:00Z');
const IDS = { project_id: 'p', integration_id: 'i' };

const facts = (words: string): EmailFacts[] => [
  { kind: 'account_invitation', token: 't', invitedBy: 'ada@example.com', project: words, endsAt },
  { kind: 'member_invitation', invitedBy: 'ada@example.com', project: words, role: 'owner', endsAt },
  { kind: 'password_reset', token: 't', endsAt },
  {
    ...{ kind: 'receiver_failing', ...IDS, project: words, receiver: words, detail: words },
    ...{ failing_since: '2026-11-24T10:00:00.000Z', failed_deliveries: 5 },
  },
  { kind: 'autopilot_stopped', project_id: 'p', project: words, reason: 'budget', detail: words, goes_on: 'by_itself' },
];

describe('the text of an email', () => {
  it('says who invites, to what, and until when', () => {
    const [invitation] = facts('Garden notes');
    expect(writeEmail(invitation!, ORIGIN)).toEqual({
      subject: 'You’re invited to Blog Content Service',
      text: [
        'ada@example.com invited you to write in “Garden notes”.',
        'Choose a password to create your account. This link works once:',
        'https://blog.example/invitation#t',
        'The link expires on 1 December 2026 at 15:06 UTC.',
        'If you didn’t expect this email, you can ignore it.\n',
      ].join('\n\n'),
    });
  });

  it('invites to an account alone, by an administrator who is gone', () => {
    const written = writeEmail(
      { kind: 'account_invitation', token: 't', invitedBy: null, project: null, endsAt },
      ORIGIN,
    );
    expect(written.text).toMatch(/^The administrator invited you\.\n/);
  });

  it('has one line as subject and bounded paragraphs, whatever people have named things', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (words) => {
        for (const one of facts(`${words}\r\nBcc: evil@example.com\u202e`)) {
          const { subject, text } = writeEmail(one, ORIGIN);
          expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
          expect(subject.length).toBeLessThan(220);
          expect(text.replaceAll('\n\n', '').replace(/\n$/, '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
          expect(text.length).toBeLessThan(2_000);
        }
      }),
    );
  });
});
