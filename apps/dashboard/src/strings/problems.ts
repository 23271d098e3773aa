/** What went wrong, in words, and what to do. */
export const problems = {
  offline: {
    title: 'Can’t reach the service',
    todo: 'Check your connection, then try again.',
  },
  tooLate: {
    title: 'The service didn’t respond in time',
    todo: 'Your request may still have gone through. Check before you try again.',
  },
  refused: { title: 'Request rejected', todo: 'Fix this, then try again.' },
  someFields: 'Check the fields marked in red.',
  /** By the field and its message, or by the message alone. */
  fields: {
    'site_url: must be an absolute URL': 'Enter a web address, such as example.com.',
    'must be an absolute URL': 'Enter a full URL, starting with https://',
    'The URL must be absolute with a valid host.': 'Enter a full URL, starting with https://',
    'current_password: is not your current password': 'That isn’t your current password.',
  } as Readonly<Record<string, string | undefined>>,
  unnamed: {
    title: 'Request rejected',
    todo: 'Reload and try again. If it keeps failing, contact your administrator.',
  },
  forbidden: { title: 'You don’t have permission', todo: 'Ask a project owner.' },
  gone: {
    title: 'Not found',
    todo: 'It was deleted, or you’re not a member of this project.',
  },
  conflict: { title: 'This has changed', todo: 'Reload, then try again.' },
  faster: {
    title: 'Someone else just changed this',
    todo: 'Reload to see their changes. Your text stays here until you leave.',
  },
  tooLarge: { title: 'Too large', todo: 'Send less data.' },
  tooMany: {
    title: 'Too many requests',
    todo: (seconds: number | null) => {
      if (seconds === null) return 'Try again later.';
      if (seconds < 120) return `Try again in ${seconds} seconds.`;
      return seconds < 7200
        ? `Try again in ${Math.ceil(seconds / 60)} minutes.`
        : `Try again in ${Math.ceil(seconds / 3600)} hours.`;
    },
  },
  signedOut: { title: 'You’re signed out', todo: 'Sign in again.' },
  broken: {
    title: 'Something went wrong on our side',
    todo: 'Try again in a few seconds. If it keeps failing, contact your administrator.',
  },
};
