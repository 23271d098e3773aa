export const start = {
  text: 'A project is one website: its posts, its members and its destinations.',
  create: 'Create project',
  name: 'Name',
  namePlaceholder: 'Garden notes',
  siteUrl: 'Site URL',
  siteUrlHint: 'Optional. Links between posts start with it.',
  newTitle: 'New project',
};
