import { deployHook } from '../../strings/sites/deploy-hook.ts';

export interface Preset {
  readonly id: string;
  readonly name: string;
  /** Where its owner finds the URL there, and what else it needs. */
  readonly help: string;
  /** What the URL looks like, with what is to be put in between < and >. */
  readonly url: string;
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The host’s own page about it. */
  readonly page: string;
}

const help = deployHook.presets;
const plain = { method: 'POST', headers: {}, body: null } as const;

/** What hosts ask for, as their documentation said in November 2026. */
export const presets: readonly Preset[] = [
  {
    ...plain,
    id: 'netlify',
    name: 'Netlify',
    help: help.netlify,
    url: 'https://api.netlify.com/build_hooks/<id>',
    page: 'https://docs.netlify.com/configure-builds/build-hooks',
  },
  {
    ...plain,
    id: 'vercel',
    name: 'Vercel',
    help: help.vercel,
    url: 'https://api.vercel.com/v1/integrations/deploy/<project>/<id>',
    page: 'https://vercel.com/docs/deploy-hooks',
  },
  {
    ...plain,
    id: 'cloudflare-pages',
    name: 'Cloudflare Pages',
    help: help.cloudflarePages,
    url: 'https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/<id>',
    page: 'https://developers.cloudflare.com/pages/configuration/deploy-hooks/',
  },
  {
    ...plain,
    id: 'cloudflare-workers',
    name: 'Cloudflare Workers',
    help: help.cloudflareWorkers,
    url: 'https://api.cloudflare.com/client/v4/workers/builds/deploy_hooks/<id>',
    page: 'https://developers.cloudflare.com/workers/ci-cd/builds/deploy-hooks/',
  },
  {
    ...plain,
    id: 'render',
    name: 'Render',
    help: help.render,
    url: 'https://api.render.com/deploy/<service>?key=<key>',
    page: 'https://render.com/docs/deploy-hooks',
  },
  {
    id: 'github-actions',
    name: 'GitHub Actions',
    help: help.githubActions,
    url: 'https://api.github.com/repos/<owner>/<repository>/dispatches',
    method: 'POST',
    headers: { Accept: 'application/vnd.github+json', Authorization: 'Bearer <token>' },
    body: '{"event_type":"blog-published"}',
    page: 'https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event',
  },
  {
    ...plain,
    id: 'gitlab',
    name: 'GitLab',
    help: help.gitlab,
    url: 'https://gitlab.com/api/v4/projects/<project id>/trigger/pipeline?token=<token>&ref=<branch>',
    page: 'https://docs.gitlab.com/ci/triggers/',
  },
];

/** Whether a part between < and > was left as the preset has it. */
export const hasGap = (text: string): boolean => /<[a-z ]+>/.test(text);
