import type { SmtpServer } from './email-environment.ts';
import type { WrittenEmail } from './write-email.ts';

/**
 * Longest waits for the SMTP server: for the connection with its TLS, for its greeting, within a conversation, in all.
 */
const CONNECT_MS = 10_000;
const GREETING_MS = 10_000;
const SILENCE_MS = 15_000;
const SEND_MS = 45_000;
/** Most bytes of one answer of the server. */
const MAX_SMTP_ANSWER_BYTES = 65_536;

/** Why an email was not sent, without the server’s words: these may name the address. */
export interface SendFailure {
  readonly code: string;
  /** The server’s answer, such as 450; null when there was none. */
  readonly responseCode: number | null;
  /** What was answered so, or was under way: `CONN`, `RCPT TO`, … */
  readonly command: string | null;
  /** The server will never take this email, or not for this address. */
  readonly isPermanent: boolean;
}

export interface EmailSender {
  /** @returns null when the server has taken it. */
  send(email: WrittenEmail & EmailRecipient, signal: AbortSignal): Promise<SendFailure | null>;
}

interface EmailRecipient {
  /** The same for each try, so that mail programs can show one that came twice once. */
  readonly id: string;
  readonly recipient: string;
}

export interface EmailSenderSettings {
  readonly server: SmtpServer;
  readonly from: { readonly name: string; readonly address: string };
  /** A server without TLS is spoken to; else it gets nothing, the password neither. */
  readonly allowPlaintext: boolean;
}

/** Hands emails to an SMTP server, each over a connection of its own. */
export function createEmailSender({ server, from, allowPlaintext }: EmailSenderSettings): EmailSender {
  const { host, port, isSecure, user, password } = server;
  const settings = {
    ...{ host, port },
    secure: isSecure,
    requireTLS: !allowPlaintext,
    tls: { minVersion: 'TLSv1.2' },
    ...(user !== null && password !== null && { auth: { user, pass: password } }),
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    maxResponseSize: MAX_SMTP_ANSWER_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  // Loaded with the first email: it takes memory that an idle service does without (ADR 17).
  const open = () => import('nodemailer').then(({ createTransport }) => createTransport(settings));
  let opened: ReturnType<typeof open> | undefined;
  const domain = from.address.split('@').at(-1) ?? 'localhost';
  return {
    async send({ id, recipient, subject, text }, signal) {
      try {
        const transport = await (opened ??= open());
        await transport.sendMail({
          // As objects: a list of addresses is not read out of them. A copy: nodemailer writes into it.
          from: { ...from },
          to: { name: '', address: recipient },
          envelope: { from: from.address, to: [recipient] },
          messageId: `<${id}@${domain}>`,
          // No answer of an absence comes back.
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...{ subject, text },
          signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]),
        });
        return null;
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

/** A refused sign-in or sender is no fault of the email: the operator can mend it. */
const OF_THE_EMAIL = new Set(['RCPT TO', 'DATA']);

function failureOf(error: unknown): SendFailure {
  const { code, responseCode, command, permanent } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
    permanent?: unknown;
  };
  return {
    code: typeof code === 'string' ? code : 'unknown',
    responseCode: typeof responseCode === 'number' ? responseCode : null,
    command: typeof command === 'string' ? command : null,
    isPermanent: permanent === true && typeof command === 'string' && OF_THE_EMAIL.has(command),
  };
}
