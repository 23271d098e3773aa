/** What went wrong, in words, and what to do. */
export const problems = {
  offline: {
    title: 'Can’t reach the service',
    todo: 'Check your connection, then try again. Nothing is lost.',
  },
  tooLate: {
    title: 'The service didn’t respond in time',
    todo: 'Your change may still go through. Check before you try again.',
  },
  refused: { title: 'Request rejected', todo: 'Fix the problem, then try again.' },
  unnamed: {
    title: 'Request rejected',
    todo: 'Reload the page, then try again. If it keeps happening, contact your administrator.',
  },
  forbidden: { title: 'You don’t have permission', todo: 'Ask an owner of the project.' },
  gone: {
    title: 'Not found',
    todo: 'It may have been deleted, or it belongs to a project you can’t access.',
  },
  conflict: { title: 'This conflicts with the current state', todo: 'Reload the page, then try again.' },
  faster: {
    title: 'Someone else changed this',
    todo: 'Reload to see their changes. Your text stays here until you leave the page.',
  },
  tooLarge: { title: 'This is too large', todo: 'Send less at a time.' },
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
    title: 'The service has a problem',
    todo: 'It may be restarting. Try again in a few seconds. If it keeps happening, contact your administrator.',
  },
};
