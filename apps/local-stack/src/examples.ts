import { asPath } from './summary.ts';

interface Example {
  readonly caption: string;
  readonly command: string;
}

const OWN_RECEIVER = { url: 'http://127.0.0.1:8080/hook', secret: 'a-secret-of-your-own' };

/** As of a server on this machine. */
const OWN_MODEL = { base_url: 'http://127.0.0.1:11434/v1', model: 'the-model', api_key: null };

const API = '$ORIGIN/blog/api/v1';
const PROJECT = `${API}/owner/projects/$PROJECT`;
const READER = '-H "Authorization: Bearer $BLOG_KEY"';
const OWNER = '-H "Authorization: Bearer $TOKEN"';
const post = (url: string, body: object, headers = OWNER) =>
  `curl -s -X POST ${headers} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${url}`;

/** Commands to paste, in an order in which each makes sense. The file that a start writes has their variables. */
const EXAMPLES: readonly Example[] = [
  {
    caption: 'Read the three newest posts',
    command: `curl -s ${READER} "${API}/public/blogs?limit=3"`,
  },
  {
    caption: 'Read one post with its content',
    command: `curl -s ${READER} ${API}/public/blogs/what-we-cook-in-winter`,
  },
  { caption: 'List slugs and dates for a sitemap', command: `curl -s ${READER} ${API}/public/blogs/sitemap` },
  { caption: 'List your posts', command: `curl -s ${OWNER} ${PROJECT}/blogs` },
  { caption: 'Publish a post (insert its ID)', command: `curl -s -X POST ${OWNER} ${PROJECT}/blogs/<id>/publish` },
  {
    caption: 'Start your own receiver in another terminal',
    command: `python3 examples/receiver.py --secret ${OWN_RECEIVER.secret} --port ${new URL(OWN_RECEIVER.url).port} --folder .data/posts`,
  },
  {
    caption: 'Add its webhook',
    command: post(`${PROJECT}/webhooks`, { name: 'My receiver', ...OWN_RECEIVER }),
  },
  {
    caption: 'Create a key for an agent that drafts and can’t publish (see docs/quickstart-agent.md)',
    command: post(`${PROJECT}/agent-keys`, { name: 'My agent', permission: 'draft' }),
  },
  {
    caption: 'Generate a draft (an outline if no model is configured)',
    command: post(`${PROJECT}/blogs/generate`, { topic: 'Bread without kneading' }),
  },
  {
    caption: 'Connect an AI model: start an OpenAI-compatible server, then insert its URL and model',
    command: `curl -sSf -o /dev/null ${OWN_MODEL.base_url}/models && curl -s -X PUT ${OWNER} -H 'Content-Type: application/json' -d '${JSON.stringify(OWN_MODEL)}' ${PROJECT}/generation-settings`,
  },
  { caption: 'Get the API reference', command: `curl -s ${API}/openapi.json` },
];

/** What `npm start -- --examples` prints. */
export function showExamples(environmentFile: string): string {
  return `# Load the URL, project and keys of the running stack
. ${asPath(environmentFile)}

${EXAMPLES.map(({ caption, command }) => `# ${caption}\n${command}`).join('\n\n')}`;
}
