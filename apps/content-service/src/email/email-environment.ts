import { withoutTrailingSlashes } from '@blog-content/link-resolver';
import { booleanVariable, secret, urlVariable } from '@blog-content/service-runtime';
import { z } from 'zod';

/** The SMTP server that mails are handed to. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else by STARTTLS. */
  readonly isSecure: boolean;
  readonly user: string | null;
  readonly password: string | null;
}

const EXPECTED = 'must be a URL such as smtp://user:password@smtp.example.com:587, or smtps://… for implicit TLS';
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

const smtpUrl = z
  .string()
  .max(2_000)
  .transform((text, context): SmtpServer => {
    const server = readSmtpUrl(text);
    if (server !== null) return server;
    context.addIssue({ code: 'custom', message: EXPECTED, input: undefined });
    return z.NEVER;
  });

/** Nothing but scheme, credentials, host and port: a query could switch certificates off. */
function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  const standardPort = PORTS[url?.protocol ?? ''];
  if (url === null || standardPort === undefined || url.hostname === '') return null;
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return null;
  if ((url.username === '') !== (url.password === '')) return null;
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? standardPort : Number(url.port),
      isSecure: url.protocol === 'smtps:',
      user: url.username === '' ? null : decodeURIComponent(url.username),
      password: url.password === '' ? null : decodeURIComponent(url.password),
    };
  } catch {
    return null;
  }
}

/** `mail@example.com` or `Name <mail@example.com>`. */
const sender = z
  .string()
  .max(500)
  .transform((text, context) => {
    const [, name = '', inBrackets, bare] = /^(?:([^<>"\r\n]*)<([^<>\s]+)>|([^<>\s]+))$/.exec(text.trim()) ?? [];
    const address = z
      .email()
      .max(320)
      .safeParse(inBrackets ?? bare);
    if (address.success) return { name: name.trimEnd(), address: address.data };
    context.addIssue({
      code: 'custom',
      message: 'must be an address such as Blog <blog@example.com>',
      input: undefined,
    });
    return z.NEVER;
  });

/** What the environment says of emails. */
export const emailEnvironment = {
  SMTP_URL: secret(smtpUrl)
    .optional()
    .describe('SMTP server: `smtp://user:password@host:587` or `smtps://…`. If unset, links are shown to copy.'),
  SMTP_FROM: sender.optional().describe('Sender of emails, such as `Blog <blog@example.com>`. Required with SMTP_URL.'),
  SMTP_ALLOW_PLAINTEXT: booleanVariable({ default: false }).describe(
    'Whether to send emails and the password without TLS. For development and tests only.',
  ),
  DASHBOARD_URL: urlVariable({ protocols: ['http:', 'https:'], example: 'https://blog.example.com' })
    .transform(withoutTrailingSlashes)
    .optional()
    .describe('URL of the dashboard, for links in emails. Required with SMTP_URL.'),
};
export type EmailEnvironment = Readonly<z.infer<z.ZodObject<typeof emailEnvironment>>>;

/** Emails need a sender, and an address for their links. */
export function needsOfEmail(config: EmailEnvironment, context: z.RefinementCtx): void {
  if (config.SMTP_URL === undefined) return;
  for (const name of ['SMTP_FROM', 'DASHBOARD_URL'] as const) {
    if (config[name] !== undefined) continue;
    context.addIssue({
      code: 'custom',
      path: [name],
      message: 'is missing. It is required with SMTP_URL.',
      input: undefined,
    });
  }
}
