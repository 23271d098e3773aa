/** What went wrong, in words, and what to do. */
export const problems = {
  offline: {
    title: 'The service cannot be reached',
    todo: 'Check the connection, then try again. Nothing was lost here.',
  },
  tooLate: {
    title: 'The service did not answer in time',
    todo: 'It may still do what was asked: look whether it has, then try again. Nothing was lost here.',
  },
  refused: { title: 'This was refused', todo: 'Change what is named here, then try again.' },
  unnamed: {
    title: 'This was refused',
    todo: 'No reason was given. Load the page again, then try again. If it stays, tell whoever runs the service.',
  },
  forbidden: { title: 'You may not do this', todo: 'Ask an owner of the project.' },
  gone: {
    title: 'It is not there',
    todo: 'It may have been deleted, or the address belongs to a project that you are no member of.',
  },
  conflict: { title: 'This does not fit what is there now', todo: 'Look at the current state, then decide again.' },
  faster: {
    title: 'Somebody else changed this in the meantime',
    todo: 'Load it again to see what they did; your text stays on this page until you leave it.',
  },
  tooLarge: { title: 'This is too large', todo: 'Send less at once.' },
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
  signedOut: { title: 'You are signed out', todo: 'Sign in again.' },
  broken: {
    title: 'The service has a problem',
    todo: 'It may be restarting: try again in a few seconds. If it stays, tell whoever runs the service.',
  },
};
