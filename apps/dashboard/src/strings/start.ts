export const start = {
  title: 'Your first project',
  text: 'A project is one website: its posts, its members, and where they are published.',
  create: 'Create project',
  name: 'Name',
  siteUrl: 'Address of the website',
  siteUrlHint:
    'Optional. Links between posts begin with it: https://example.com gives https://example.com/blog/my-post/.',
  newTitle: 'New project',
};
