import { checked, json, request } from '../api.ts';
import { askSecret } from '../ask-secret.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Command } from './command.ts';

const DEFAULT_ORIGIN = 'http://127.0.0.1:4000';

export const signIn: Command = {
  usage: `blog sign-in (--email <address> | --agent) [--origin <url>]

  --email <address>   sign in as an owner, with the password from BLOG_PASSWORD or a prompt
  --agent             sign in as an agent, with the key (sk_agent_…) from BLOG_AGENT_KEY or a prompt
  --origin <url>      URL of the service (default ${DEFAULT_ORIGIN})`,
  options: { email: 'string', agent: 'boolean', origin: 'string' },
  async run({ values, environment, store, print, signal }) {
    const given = String(values['origin'] ?? DEFAULT_ORIGIN);
    if (!/^https?:\/\//.test(given) || !URL.canParse(given)) throw new UsageError('--origin must be an http(s) URL.');
    const { origin } = new URL(given);
    const api = `${origin}/blog/api/v1`;
    if (values['agent']) {
      const key = (environment['BLOG_AGENT_KEY'] ?? (await askSecret('Agent key: ', 'BLOG_AGENT_KEY'))).trim();
      // One with a line break within would be named by the error.
      if (!/^sk_agent_\w+$/.test(key)) throw new CommandError('An agent key starts with sk_agent_.');
      const headers = { authorization: `Bearer ${key}` };
      const answer = await checked(await request(`${api}/agent/project`, { headers }, signal));
      await store.save({ kind: 'agent', origin, key });
      print(`Signed in as an agent of “${((await answer.json()) as { name: string }).name}”.`);
      return;
    }
    const email = values['email'];
    if (typeof email !== 'string') throw new UsageError('Pass --email or --agent.');
    const password = environment['BLOG_PASSWORD'] ?? (await askSecret(`Password of ${email}: `, 'BLOG_PASSWORD'));
    const answer = await checked(await request(`${api}/owner/session`, json({ email, password }), signal));
    const session = (await answer.json()) as { token: string; refresh_token: string };
    await store.save({ kind: 'owner', origin, email, token: session.token, refreshToken: session.refresh_token });
    print(`Signed in as ${email}.`);
  },
};

export const signOut: Command = {
  usage: 'blog sign-out',
  async run({ store, print, api }) {
    const opened = await api().catch(() => null);
    // What cannot be ended there is forgotten here.
    if (opened?.kind === 'owner') await opened.owner('/session', { method: 'DELETE' }).catch(() => undefined);
    await store.forget();
    print('Signed out.');
  },
};
