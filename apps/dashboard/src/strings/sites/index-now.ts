const addresses = (number: number) => `${number} ${number === 1 ? 'address' : 'addresses'}`;

export const indexNow = {
  title: 'Search engines',
  intro:
    'IndexNow tells search engines such as Bing, Yandex and Seznam which pages have changed. Once your site has the key file, the service waits until it shows a change, half an hour at most, and then tells them.',
  off: 'It is off.',
  offEditor: 'It is off. An owner of the project can turn it on.',
  turnOn: 'Turn on',
  turnedOn: 'It is on. Add the key file to your site now.',
  keyFile: 'Your site must serve a file with this name, which holds this key and nothing else:',
  fileName: 'Name of the file',
  key: 'Key',
  where:
    'Put it into the folder that your generator copies as it is: public with Astro, Next and Nuxt, static with Hugo and SvelteKit, a passthrough copy with Eleventy. It must then be at',
  noSite: 'The project has no website yet. Save its address in the settings: until then nobody can be told.',
  check: 'Check the key file',
  checking: 'Asking your site, at most 10 seconds …',
  checkWorked: 'Your site serves the key.',
  checkFailed: 'The key file is not right',
  found: 'Your site had the key file',
  notFound: 'The key file was not found yet, tried',
  notTried: 'The key file is looked for when a post changes, or when you check it.',
  waiting: (count: number) => `Waiting until your site shows the change, or to be told: ${addresses(count)}.`,
  none: 'Nothing has been sent yet.',
  last: {
    accepted: (count: number) => `Search engines were told of ${addresses(count)},`,
    retry: (count: number) => `They could not be told of ${addresses(count)} yet; that is tried again. Tried`,
    failed: (count: number) => `They could not be told of ${addresses(count)},`,
  },
  givenUp: 'Given up, so that nobody was told:',
  turnOff: 'Turn off …',
  turnOffTitle: 'Turn off IndexNow?',
  turnOffText:
    'Search engines are told of no more changes. When you turn it on again it has another key, so the file changes.',
  turnOffConfirm: 'Turn off IndexNow',
  turnedOff: 'IndexNow is off.',
};
