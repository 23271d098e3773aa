import { z } from 'zod';

/**
 * What an email tells, as its row keeps it: which row it is about, and facts that no row has. Never a token: that is
 * made when the email is written.
 */
export const emailAbout = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account_invitation'), invitation_id: z.uuid(), invited_by: z.uuid() }),
  z.object({ kind: z.literal('member_invitation'), invitation_id: z.uuid() }),
  z.object({ kind: z.literal('password_reset') }),
  z.object({
    kind: z.literal('receiver_failing'),
    project_id: z.uuid(),
    integration_id: z.uuid(),
    receiver: z.string(),
    failing_since: z.string(),
    failed_deliveries: z.int(),
    detail: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('autopilot_stopped'),
    project_id: z.uuid(),
    reason: z.string(),
    detail: z.string(),
    goes_on: z.enum(['when_resumed', 'by_itself']),
  }),
]);
export type EmailAbout = z.infer<typeof emailAbout>;
export type EmailKind = EmailAbout['kind'];
type Of<Kind extends EmailKind> = Extract<EmailAbout, { kind: Kind }>;

/** What a project’s owners are told. */
export type OwnersNotice = Of<'receiver_failing'> | Of<'autopilot_stopped'>;

/** An email with all that its text says. */
export type EmailFacts =
  | {
      readonly kind: 'account_invitation';
      readonly token: string;
      readonly invitedBy: string | null;
      readonly project: string | null;
      readonly endsAt: Date;
    }
  | {
      readonly kind: 'member_invitation';
      readonly invitedBy: string;
      readonly project: string;
      readonly role: string;
      readonly endsAt: Date;
    }
  | { readonly kind: 'password_reset'; readonly token: string; readonly endsAt: Date }
  | (OwnersNotice & { readonly project: string });
