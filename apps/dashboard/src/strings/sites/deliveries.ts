const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

const todos = {
  signature:
    'Compare the signing secret on both sides. The receiver must compute the signature over the raw bytes of the body. Then send it again.',
  forbidden: 'Something in front of the receiver refuses the request: allow POST to its path, then send it again.',
  missing: 'Check the path of the webhook’s URL: the receiver has nothing there. Then send it again.',
  redirect: 'Set the webhook’s URL to the address that the receiver redirects to, then send it again.',
  refused: 'The receiver refused the request. The start of its answer, in the log, may say why.',
  broken: 'The receiver failed on its own side: its log says why. Send it again when it is mended.',
  status: 'Let the receiver answer 200, 201, 202 or 204, then send it again.',
  timeout:
    'The receiver must answer within 30 seconds. Let it answer first and do the work afterwards, then send it again.',
  network: 'Check that the receiver runs and that its address is right, then send it again.',
  address_refused: 'The webhook’s URL must be https and lead to public addresses only: check its DNS records.',
  unsendable: 'Set the secret and the headers of the webhook again, then send it again.',
  interrupted: 'Whether the receiver got it is not known. Sending it again does no harm.',
  integration_deleted: 'The webhook was deleted. Nothing needs to be done.',
  project_deleted: 'The project was deleted. Nothing needs to be done.',
  other: 'Look at the request and the answer in the log, then send it again.',
};

const CREDENTIAL = 'The system does not accept the credential: make a new one there, set it here, then send it again.';
const SAID =
  'The sentence before this one, or the start of the answer in the log, says why. Mend that, then send it again.';

/** The same where posts are written into a system, such as a WordPress. */
const systemTodos: Readonly<Record<keyof typeof todos, string>> = {
  signature: CREDENTIAL,
  forbidden: CREDENTIAL,
  missing: 'Check the address and the settings of the integration: the system has nothing there. Then send it again.',
  redirect: 'Set the address of the integration to the one that the system redirects to, then send it again.',
  refused: SAID,
  broken: 'The system failed on its own side: its log says why. Send it again when it is mended.',
  status: SAID,
  timeout: 'The system is too slow: its own log may say why. Then send it again.',
  network: 'Check that the system runs and that its address is right, then send it again.',
  address_refused: 'The system’s address must be https and lead to public addresses only: check its DNS records.',
  unsendable:
    'Unless another reason stands before this: set the credential of the integration again, then send it again.',
  interrupted: 'Whether the system got it is not known. Sending it again does no harm.',
  integration_deleted: 'The integration was deleted. Nothing needs to be done.',
  project_deleted: todos.project_deleted,
  other: todos.other,
};

/** Texts about requests to receivers that several pages share. */
export const deliveries = {
  status: {
    pending: 'Waiting',
    in_flight: 'Sent, no answer yet',
    succeeded: 'Succeeded',
    failed: 'Failed',
    superseded: 'Superseded',
  },
  todo: 'What to do',
  todos,
  systemTodos,
  receivers: {
    title: 'Receivers that will be told',
    none: 'This project has no active webhook, so no receiver is told.',
    more: 'and more',
    hook: 'The deploy hook is called once the public API serves the change.',
    unknown: 'Which receivers there are could not be looked up; every active one will be told.',
  },
  live: 'Live at',
  redeliver: {
    button: 'Send again …',
    title: 'Send it to this receiver again?',
    text: 'Only this receiver is told, with what is published now. It is one attempt, and a delivery of its own in the log.',
    confirm: 'Send again',
    done: 'It is being sent again.',
  },
  phases: {
    title: 'Time taken',
    dns: 'Name looked up',
    connect: 'Connected',
    tls: 'TLS',
    wait: 'Waited for the first byte',
    rest: 'Sent and read',
    total: 'In all',
  },
  exchange: {
    request: 'Request',
    answer: 'Answer',
    noRequest: 'Nothing was sent, or it is no longer kept.',
    noAnswer: 'There was no whole answer.',
    noBody: 'The body is no longer kept.',
    emptyBody: 'No body.',
    truncated: (bytes: number) => `Only the beginning is shown; the whole body has ${count(bytes, 'byte', 'bytes')}.`,
    truncatedAnswer: 'Only the beginning is kept.',
    headers: 'Headers',
    body: 'Body',
    status: (code: number) => `Status ${code}`,
  },
};
