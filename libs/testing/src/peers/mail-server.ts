import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** An email as the server got it. */
export interface ReceivedMail {
  readonly recipients: readonly string[];
  /** By their names in lower case, unfolded and decoded; each name once, or the mail is refused. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Who had signed in; null: nobody. */
  readonly user: string | null;
  readonly isEncrypted: boolean;
}

export interface MailServerOptions {
  readonly port?: number;
  /** With it the server offers STARTTLS. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Senders have to sign in with it, encrypted. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Of a recipient: the status to refuse it with, or null. */
  readonly refuse?: (recipient: string) => number | null;
  /** What happens between a mail’s last byte and the answer. */
  readonly beforeAnswer?: () => Promise<void>;
}

/** A real SMTP server on loopback that keeps what it gets. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** How many have connected. */
  readonly connections: () => number;
  /** The mails to an address, in the order in which they came. */
  to(recipient: string): ReceivedMail[];
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { port = 0, certificate, login, refuse, beforeAnswer } = options;
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    ...(certificate === undefined
      ? { disabledCommands: ['STARTTLS'] }
      : { cert: certificate.certificate, key: certificate.key }),
    authOptional: login === undefined,
    disableReverseLookup: true,
    closeTimeout: 0,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username = '', password }, _session, done) {
      const isRight = username === login?.user && password === login.password;
      done(isRight ? null : new Error('Wrong password'), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      const status = refuse?.(address) ?? null;
      done(status === null ? null : Object.assign(new Error(`No such mailbox ${address}`), { responseCode: status }));
    },
    onData(stream, { envelope, user, secure }, done) {
      void text(stream).then(async (source) => {
        mails.push({
          ...readMail(source),
          recipients: envelope.rcptTo.map(({ address }) => address),
          user: typeof user === 'string' ? user : null,
          isEncrypted: secure,
        });
        await beforeAnswer?.();
        done();
      }, done);
    },
  });
  // Clients that are killed.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    to: (recipient) => mails.filter(({ recipients }) => recipients.includes(recipient)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function readMail(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name === '' || name.toLowerCase() in headers) throw new Error(`Not a header of one mail: ${line}`);
    headers[name.toLowerCase()] = value
      .replace(/\?= =\?/g, '?==?')
      .replace(/=\?UTF-8\?Q\?([^?]*)\?=/g, (_, word: string) => unescape(word.replaceAll('_', ' ')));
  }
  return { headers, text: decode(source.slice(end + 4), headers['content-transfer-encoding'] ?? '7bit') };
}

function decode(body: string, encoding: string): string {
  switch (encoding) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8');
    case 'quoted-printable':
      return unescape(body.replace(/=\r\n/g, ''));
    default:
      return body;
  }
}

const unescape = (body: string): string =>
  decodeURIComponent(body.replaceAll('%', '%25').replace(/=([0-9A-F]{2})/g, '%$1'));
