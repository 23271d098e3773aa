/** Texts of the API reference and of the guides’ frame. */
export const docs = {
  reference: 'API reference',
  guides: 'Guides',
  navigation: 'Guides and their sections',
  top: 'Documents',
  dashboard: 'Dashboard',
  both: 'API reference and guides',
  names: {
    'fetch-posts': 'Fetch posts',
    'receive-webhooks': 'Receive webhooks',
    'write-with-an-agent': 'Write with an agent',
    'move-here': 'Move here',
    'move-away': 'Move away',
    'consume-lifecycle': 'Consume blog.lifecycle',
    'quickstart-site': 'Build a site',
    'quickstart-agent': 'Publish with an agent',
    webhooks: 'Webhooks',
    'making-posts': 'Generate posts',
    limits: 'Limits',
    contract: 'Contract',
  },
  notFoundTitle: 'There is no such document',
  notFoundText: 'The address may be mistyped. These are all there are:',
  failed:
    'The document could not be loaded. Load the page again; if that does not help, the service may be restarting.',
};
