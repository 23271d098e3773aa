/** Texts of the list of webhooks, of one webhook, and of its form. */
export const webhooks = {
  title: 'Webhooks',
  intro:
    'Each active webhook is told when a post is published, updated, unpublished or deleted. A new one hears of what happens from now on; what was published before, it fetches through the public API.',
  guide: 'How a receiver verifies and answers',
  add: 'Add webhook',
  log: 'Delivery log',
  table: 'Webhooks',
  columnName: 'Webhook',
  columnState: 'State',
  columnHealth: 'Health',
  active: 'Active',
  paused: 'Paused',
  signed: 'Signed',
  unsigned: 'Not signed',
  failing: 'Failing',
  failingSince: 'Every delivery has failed since',
  failedDeliveries: (failed: number) =>
    failed === 1 ? 'The newest delivery has failed' : `The newest ${failed} deliveries have failed`,
  fine: 'No delivery is failing',
  noneTitle: 'No webhooks yet',
  noneText:
    'A webhook tells your site, shop or app at once when a post changes. You need an https address that takes POST requests.',
  noneEditor: 'An owner of the project can add one.',
};

const OPTIONAL_TEXT = 'Optional: a plain text field.';
const OPTIONAL_LIST = 'Optional: a plain text field. They stand there with commas between them.';

/** What posts can go to besides a receiver, and what each needs. */
export const destinations = {
  kind: 'Where posts go',
  webhook: 'Webhook',
  wordpress: {
    label: 'WordPress',
    intro: 'Posts are written into your WordPress by its REST API, images into its media library.',
    urlHint: 'The https address of your site.',
    secret: 'Application password',
    secretHint: 'Users → Profile → Application Passwords, in WordPress. The user needs to be an author, or more.',
    settings: [{ name: 'username', label: 'User name', hint: 'Whose application password it is.', required: true }],
  },
  ghost: {
    label: 'Ghost',
    intro: 'Posts are written into your Ghost, each as one HTML card, images among its own.',
    urlHint: 'The https address of your site.',
    secret: 'Admin API key',
    secretHint: 'Settings → Integrations → Add custom integration, in Ghost.',
    settings: [],
  },
  webflow: {
    label: 'Webflow',
    intro:
      'Posts become live items of a collection of your Webflow, images by their address. Title and slug go into its fields name and slug; you choose the others. Test Connection says what does not fit.',
    urlHint: 'The https address of your site, to say where posts are.',
    secret: 'Site token',
    secretHint: 'Site settings → Apps & integrations → API access, in Webflow, with CMS read and write.',
    settings: [
      {
        name: 'collection_id',
        label: 'Collection ID',
        hint: 'CMS → the collection → Settings, in Webflow: 24 letters and digits.',
        required: true,
      },
      { name: 'fields.content', label: 'Field of the content', hint: 'Its slug: a rich text field.', required: true },
      { name: 'fields.excerpt', label: 'Field of the excerpt', hint: OPTIONAL_TEXT, required: false },
      {
        name: 'fields.featured_image',
        label: 'Field of the featured image',
        hint: 'Optional: an image field.',
        required: false,
      },
      { name: 'fields.meta_title', label: 'Field of the meta title', hint: OPTIONAL_TEXT, required: false },
      { name: 'fields.meta_description', label: 'Field of the meta description', hint: OPTIONAL_TEXT, required: false },
      { name: 'fields.keyword', label: 'Field of the keyword', hint: OPTIONAL_TEXT, required: false },
      { name: 'fields.categories', label: 'Field of the categories', hint: OPTIONAL_LIST, required: false },
      { name: 'fields.tags', label: 'Field of the tags', hint: OPTIONAL_LIST, required: false },
      { name: 'fields.published_at', label: 'Field of the date', hint: 'Optional: a date field.', required: false },
    ],
  },
  shopify: {
    label: 'Shopify',
    intro: 'Posts become articles of a blog of your shop, images by their address.',
    urlHint: 'The shop’s own address: https://, its name, and .myshopify.com.',
    secret: 'Admin API access token',
    secretHint: 'Of an app of your shop that may read and write content.',
    settings: [
      {
        name: 'blog_id',
        label: 'Blog ID',
        hint: 'The number at the end of the blog’s address in Shopify’s admin.',
        required: true,
      },
      { name: 'author', label: 'Author', hint: 'Who the articles are by.', required: true },
    ],
  },
  devto: {
    label: 'dev.to',
    intro:
      'Posts become articles in Markdown that name your site as the original. dev.to chooses their address, takes four tags, and deletes nothing: what you delete stays there as a draft.',
    // There is one dev.to.
    urlHint: null,
    secret: 'API key',
    secretHint: 'Settings → Extensions → DEV Community API Keys, in dev.to.',
    settings: [],
  },
} as const;

export const webhookForm = {
  addTitle: 'Add a webhook',
  name: 'Name',
  nameHint: 'Optional. What you call it here, for example “Shop”.',
  url: 'Address',
  urlHint: 'An https address that takes POST requests.',
  secret: 'Signing secret',
  secretHint: 'At least 16 characters. The receiver verifies with it that a request is from here.',
  noSecret: 'Without a secret nothing is signed, and the receiver cannot tell our requests from others.',
  generate: 'Generate',
  secretOnce: 'Copy the secret now: it is never shown again after saving. The receiver needs it, too.',
  heal: 'Send posts again when a link in them has changed',
  healHint:
    'When a post that others link to is published, unpublished or moved, those others are sent again a minute later.',
  live: 'Links lead to where the other posts really are',
  liveHint: {
    webhook:
      'To the URL that the receiver answered, for posts that it has; else to the site. It is known while posts are sent again for their links.',
    destination: 'To where the system has them; else to the site.',
  },
  standard: 'Send the headers of Standard Webhooks, too',
  standardHint: 'For receivers that verify with one of its libraries. They need a signing secret.',
  headers: 'Headers of your own',
  headersHint: 'Sent with every request, for example credentials that your receiver asks for.',
  hookHeadersHint: 'Sent with every request, for example a token that the host asks for.',
  headerName: 'Name',
  headerValue: 'Value',
  headerNameOf: (number: number) => `Name of header ${number}`,
  headerValueOf: (number: number) => `Value of header ${number}`,
  addHeader: 'Add header',
  removeHeader: (name: string) => `Remove header ${name}`,
  remove: 'Remove',
  save: 'Save',
  saved: 'The webhook was saved.',
  added: 'The webhook was added. Test it now.',
  /** Said while typing. */
  checks: {
    noUrl: 'This is no address yet. It begins with https://',
    notHttps: 'It must begin with https://. The service takes http only where it is set up for development.',
    credentials: 'Leave name and password out of the address; put credentials into a header.',
    privateHost: 'This is an address of a private network. The service calls public addresses only.',
    shortSecret: (missing: number) => `At least 16 characters: ${missing} more.`,
    headerName: 'A header’s name has letters, digits and hyphens only.',
    headerRefused: 'This header belongs to the connection and may not be set.',
    headerIgnored: 'This header is set by the service; yours is ignored.',
    headerTwice: 'This header is there already.',
    headerValue: 'A header’s value may not have line breaks.',
    manyHeaders: 'About 20 headers are the most that receivers take as a rule.',
  },
};

export const webhook = {
  back: 'All webhooks',
  health: {
    title: 'Health',
    failingTitle: 'Every delivery to this webhook fails',
    failingSince: 'Since',
    lastSuccess: 'Last success',
    never: 'None within 30 days.',
    lastFailure: 'Last failure',
    none: 'None within 30 days.',
    latency: 'Time to answer',
    latencyText: (number: number, median: string, most: string) =>
      number === 1
        ? `The only attempt took ${most}.`
        : `The last ${number} attempts: half of them took ${median} or less, the longest ${most}.`,
    noAttempts: 'Nothing has been sent within 30 days.',
    attempt: 'Began',
    took: 'Took',
    outcome: 'Answer',
    noAnswer: 'No answer',
  },
  test: {
    title: 'Try it',
    text: 'Test Connection sends test.ping. Sample Payload sends an example post with a preview- id, which the receiver must not store. Neither changes a post.',
    ping: 'Test Connection',
    sample: 'Sample Payload',
    showSample: 'Show a sample',
    showSampleText: 'This is what would be sent now. Nothing has been sent.',
    running: 'Waiting for the receiver, at most 30 seconds …',
    success: (event: string, status: number | null) => `The receiver answered ${status ?? ''} to ${event}: a success.`,
    failure: (event: string) => `${event} did not succeed`,
    hint: 'What would make it succeed',
    goodToKnow: 'Good to know',
    inLog: 'In the delivery log',
  },
  snippets: {
    title: 'Verify the signature',
    text: 'The receiver computes the signature over the raw bytes of the body and compares it with X-Webhook-Signature. On a mismatch it answers 401.',
    of: (language: string) => `Receiver in ${language}`,
  },
  settings: 'Settings',
  log: 'Delivery log of this webhook',
  rotate: {
    button: 'Set a new secret …',
    title: 'Set a new signing secret?',
    text: 'The next request is signed with the new secret. Let the receiver accept the old and the new one first; then set it here, and drop the old one there. A receiver that knows only the old one answers 401 from now on.',
    first: 'From the next request on, all are signed.',
    confirm: 'Set secret',
    done: 'The next request is signed with the new secret.',
    remove: 'Stop signing …',
    removeTitle: 'Stop signing requests?',
    removeText: 'Requests carry no signature any more. A receiver that verifies them answers 401 from now on.',
    removeConfirm: 'Stop signing',
    removed: 'Requests are no longer signed.',
  },
  pause: {
    button: 'Pause …',
    title: 'Pause this webhook?',
    text: 'It is told of nothing that is published, updated, unpublished or deleted from now on, and that is not made up for when you resume. What is waiting for it is still sent.',
    confirm: 'Pause',
    done: 'The webhook is paused.',
    resume: 'Resume',
    resumed: 'The webhook is active again.',
  },
  remove: {
    button: 'Delete …',
    title: 'Delete this webhook?',
    text: 'The receiver is told nothing any more; posts that it has stay there. What is waiting for it ends as failed. Its secret and headers are deleted; the log stays for 30 days.',
    confirm: 'Delete webhook',
    done: 'The webhook was deleted.',
  },
  redeliver: {
    button: 'Send again what failed …',
    title: 'Send again what failed?',
    text: 'Each post whose newest delivery to this receiver has failed since then is sent once more, with what is published now. Posts that are no longer published are left out.',
    since: 'Failed since',
    confirm: 'Send again',
    done: (number: number) =>
      number === 0
        ? 'Nothing has failed since then.'
        : `${number} ${number === 1 ? 'post is' : 'posts are'} being sent.`,
    refused: 'These were left out:',
    more: 'There are more: send again what failed once more.',
  },
};
