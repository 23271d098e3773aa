const OPTIONAL_TEXT = 'A plain text field.';
const OPTIONAL_LIST = 'A plain text field. Separated by commas.';

/** What posts can go to, and what each system needs. */
export const destinations = {
  choose: 'Where should posts go?',
  back: 'All destinations',
  advanced: 'Advanced',
  optional: 'Optional fields',
  webhook: { label: 'Webhook', about: 'Any HTTPS endpoint of yours', title: 'Add a webhook', confirm: 'Add webhook' },
  deployHook: { label: 'Deploy hook', about: 'Rebuild a static site' },
  wordpress: {
    label: 'WordPress',
    about: 'Publish to a WordPress site',
    title: 'Connect WordPress',
    intro: 'Posts and their images are created in WordPress through its REST API.',
    urlHint: 'Your site’s URL, starting with https://',
    secret: 'Application password',
    secretHint: 'In WordPress: Users → Profile → Application Passwords. The user must be an author or higher.',
    createAuthors: 'Create missing authors',
    createAuthorsHint:
      'Authors with an email address but no WordPress user get one, with the Contributor role. Needs an administrator’s application password.',
    settings: [{ name: 'username', label: 'Username', hint: 'The owner of the application password.', required: true }],
  },
  ghost: {
    label: 'Ghost',
    about: 'Publish to a Ghost site',
    title: 'Connect Ghost',
    intro: 'Each post becomes one HTML card in Ghost. Images are uploaded there.',
    urlHint: 'Your site’s URL, starting with https://',
    secret: 'Admin API key',
    secretHint: 'In Ghost: Settings → Integrations → Add custom integration.',
    settings: [],
  },
  webflow: {
    label: 'Webflow',
    about: 'Fill a CMS collection',
    title: 'Connect Webflow',
    intro: 'Posts become live items of a collection. Title and slug fill its name and slug; you map the other fields.',
    urlHint: 'Your site’s URL, used for links to posts.',
    secret: 'Site token',
    secretHint: 'In Webflow: Site settings → Apps & integrations → API access, with CMS read and write.',
    settings: [
      {
        name: 'collection_id',
        label: 'Collection ID',
        hint: 'In Webflow: CMS → the collection → Settings. 24 letters and digits.',
        required: true,
      },
      { name: 'fields.content', label: 'Content field', hint: 'The slug of a rich text field.', required: true },
      { name: 'fields.excerpt', label: 'Excerpt field', hint: OPTIONAL_TEXT, required: false },
      { name: 'fields.featured_image', label: 'Featured image field', hint: 'An image field.', required: false },
      { name: 'fields.meta_title', label: 'Meta title field', hint: OPTIONAL_TEXT, required: false },
      { name: 'fields.meta_description', label: 'Meta description field', hint: OPTIONAL_TEXT, required: false },
      { name: 'fields.keyword', label: 'Focus keyword field', hint: OPTIONAL_TEXT, required: false },
      { name: 'fields.categories', label: 'Categories field', hint: OPTIONAL_LIST, required: false },
      { name: 'fields.tags', label: 'Tags field', hint: OPTIONAL_LIST, required: false },
      { name: 'fields.published_at', label: 'Publication date field', hint: 'A date field.', required: false },
      { name: 'fields.authors', label: 'Authors field', hint: OPTIONAL_LIST, required: false },
      { name: 'fields.language', label: 'Language field', hint: OPTIONAL_TEXT, required: false },
      {
        name: 'fields.canonical_url',
        label: 'Canonical URL field',
        hint: 'A link or plain text field.',
        required: false,
      },
    ],
  },
  shopify: {
    label: 'Shopify',
    about: 'Publish to a shop’s blog',
    title: 'Connect Shopify',
    intro: 'Posts become articles of one of your shop’s blogs.',
    urlHint: 'The shop’s .myshopify.com URL, starting with https://',
    secret: 'Admin API access token',
    secretHint: 'From an app of your shop with access to read and write content.',
    settings: [
      {
        name: 'blog_id',
        label: 'Blog ID',
        hint: 'The number at the end of the blog’s URL in Shopify.',
        required: true,
      },
      { name: 'author', label: 'Author', hint: 'Shown as the author of the articles.', required: true },
    ],
  },
  devto: {
    label: 'dev.to',
    about: 'Cross-post as Markdown',
    title: 'Connect dev.to',
    intro:
      'Posts become Markdown articles with a canonical link to your site. dev.to picks the URL and keeps four tags.',
    // There is one dev.to.
    urlHint: null,
    secret: 'API key',
    secretHint: 'In dev.to: Settings → Extensions → DEV Community API Keys.',
    settings: [],
  },
} as const;
