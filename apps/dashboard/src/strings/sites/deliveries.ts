const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

const todos = {
  signature: 'Check that both sides use the same signing secret, and that your endpoint verifies the raw body.',
  forbidden: 'A proxy or firewall may be blocking this. Allow POST to this path, then resend.',
  missing: 'No endpoint at this path. Check the webhook’s URL.',
  redirect: 'Change the webhook’s URL to the one the endpoint redirects to, then resend.',
  refused: 'The endpoint rejected the request. The response may say why.',
  broken: 'Your server had an error. Check its logs, then resend.',
  status: 'The endpoint must return 200, 201, 202 or 204. Fix that, then resend.',
  timeout: 'The endpoint must respond within 30 seconds. Respond first, do the work later, then resend.',
  network: 'Check that the endpoint is running and its URL is correct, then resend.',
  address_refused: 'The URL must use https and resolve to public IP addresses only. Check its DNS records.',
  unsendable: 'Set the webhook’s secret and headers again, then resend.',
  interrupted: 'The endpoint may have received this. It’s safe to resend.',
  integration_deleted: 'The webhook was deleted. Nothing to do.',
  project_deleted: 'The project was deleted. Nothing to do.',
  other: 'Check the request and the response, then resend.',
};

const CREDENTIAL = 'The system rejected the credential. Create a new one there, save it here, then resend.';
const SAID = 'The message above or the response says why. Fix that, then resend.';

/** The same where posts are written into a system, such as a WordPress. */
const systemTodos: Readonly<Record<keyof typeof todos, string>> = {
  signature: CREDENTIAL,
  forbidden: CREDENTIAL,
  missing: 'Nothing found at this URL. Check the destination’s URL and settings.',
  redirect: 'Change the URL to the one the system redirects to, then resend.',
  refused: SAID,
  broken: 'The system failed. Check its logs, then resend.',
  status: SAID,
  timeout: 'The system took too long. Check its logs, then resend.',
  network: 'Check that the system is running and its URL is correct, then resend.',
  address_refused: 'The URL must use https and resolve to public IP addresses only. Check its DNS records.',
  unsendable: 'Save the credential of this destination again, then resend.',
  interrupted: 'The system may have received this. It’s safe to resend.',
  integration_deleted: 'The destination was deleted. Nothing to do.',
  project_deleted: todos.project_deleted,
  other: todos.other,
};

/** Texts about requests to receivers that several pages share. */
export const deliveries = {
  status: {
    pending: 'Waiting',
    in_flight: 'Sending',
    succeeded: 'Delivered',
    failed: 'Failed',
    superseded: 'Superseded',
  },
  todo: 'Fix',
  todos,
  systemTodos,
  receivers: {
    title: 'Destinations',
    none: 'No other site is notified.',
    more: 'and more',
    hook: 'The deploy hook runs once readers can see the change.',
    unknown: 'Couldn’t load the destinations. Every active one will get the post.',
  },
  live: 'Live at',
  redeliver: {
    button: 'Resend',
    title: 'Resend to this destination?',
    text: 'Sends the post’s current content to this destination only, once.',
    confirm: 'Resend',
    done: 'Resending',
  },
  phases: {
    title: 'Timing',
    dns: 'DNS lookup',
    connect: 'Connect',
    tls: 'TLS',
    wait: 'Waiting',
    rest: 'Transfer',
  },
  exchange: {
    request: 'Request',
    answer: 'Response',
    tabs: 'Request and response',
    noRequest: 'Nothing was sent, or the request is no longer kept.',
    noAnswer: 'No complete response.',
    noBody: 'The body is no longer kept.',
    emptyBody: 'No body',
    truncated: (bytes: number) => `Truncated. The full body has ${count(bytes, 'byte', 'bytes')}.`,
    truncatedAnswer: 'Truncated. Only the start is kept.',
    headers: 'Headers',
    body: 'Body',
    status: (code: number) => `Status ${code}`,
  },
};
