/** The publication date of a post, in the editor and where it is published. */
export const publicationDate = {
  label: 'Publication date',
  hint: 'Defaults to the time you publish.',
  goesLive: 'The post goes live then.',
  scheduled: 'This is in the future, so Publish schedules the post.',
  clear: 'Clear the date',
  range: (year: number, years: number) => `Choose a date from ${year} to ${years} years from now.`,
  ahead: 'A published post needs a date in the past. Unpublish it first to schedule it.',
  dated: (date: string) => `Readers see ${date} as its publication date.`,
  keep: (date: string) => `Keep ${date}`,
  useNow: 'Use now',
  scheduleTitle: 'Schedule this post?',
  scheduleText: (date: string) => `It goes live on ${date}, including edits you make before then.`,
  schedule: 'Schedule',
};
