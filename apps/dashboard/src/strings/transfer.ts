const count = (number: number, one: string, many: string) => `${number.toLocaleString()} ${number === 1 ? one : many}`;
const files = (number: number) => count(number, 'file', 'files');

export const transfer = {
  title: 'Import and export',
  import: 'Import',
  importText:
    'Markdown or HTML files with front matter become posts: from a folder, or from a ZIP archive such as an export. You see what would happen before anything does.',
  folder: 'Choose a folder …',
  zip: 'Choose a ZIP archive …',
  dropHere: 'or drop an archive here',
  packing: 'Packing the folder …',
  noFiles: 'There is no Markdown or HTML file in this folder.',
  tooLarge: (most: number) => `An archive has at most ${most} MB. Import it in several parts.`,
  archive: 'The archive',
  chosen: (name: string) => `Chosen: ${name}`,
  another: 'Choose another',
  publish: 'Publish each post that is no draft',
  publishHint:
    'They go live immediately, or at their date if it is in the future. A post whose visibility or date is unclear stays a draft.',
  update: 'Change posts that are there already',
  updateHint: 'A file whose slug a post has replaces its text. Otherwise the file is left out.',
  host: 'Take images of other hosts into the library',
  hostHint: 'Otherwise posts go on showing them from where they are.',
  planning: 'Reading the archive …',
  plan: 'What would happen',
  planSummary: (plan: { create: number; update: number; skip: number; fail: number }) =>
    [
      `${files(plan.create)} would be made,`,
      `${files(plan.update)} would change a post,`,
      `${files(plan.skip)} would be left out,`,
      `${files(plan.fail)} would fail.`,
    ].join(' '),
  planPublish: (number: number) =>
    number === 0
      ? 'Nothing would be published.'
      : `${count(number, 'post', 'posts')} would be published, and receivers told of each.`,
  planSchedule: (number: number) => `${count(number, 'post', 'posts')} would be scheduled for the date in the file.`,
  outcome: { create: 'New', update: 'Changes', skip: 'Left out', fail: 'Fails' },
  file: 'File',
  becomes: 'Becomes',
  willPublish: 'and is published',
  willSchedule: (when: string) => `and is scheduled for ${when}`,
  willStay: 'and stays a draft',
  shownOf: (shown: number, all: number) => `The first ${shown.toLocaleString()} of ${files(all)}.`,
  start: 'Import',
  nothing: 'Nothing of this archive can be imported.',
  started: 'The import has begun.',
  runs: 'Imports',
  runsNone: 'Nothing was imported yet.',
  running: 'Under way',
  finished: 'Finished',
  began: (when: string) => `Began ${when}`,
  progress: (done: number, all: number) => `${done.toLocaleString()} of ${files(all)} done`,
  result: (job: { created: number; updated: number; skipped: number; failed: number }) =>
    `${job.created} made, ${job.updated} changed, ${job.skipped} left out, ${job.failed} failed`,
  showFiles: 'Show files',
  report: 'Download report',
  filesOf: (when: string) => `Files of the import of ${when}`,
  status: { waiting: 'Waits', created: 'Made', updated: 'Changed', skipped: 'Left out', failed: 'Failed' },
  openPost: 'Open the post',
  export: 'Export',
  exportText:
    'One ZIP archive with all posts, images, webhooks and data. Astro, Hugo, Eleventy and Jekyll build it as is, and you can import it again. Secrets and header values of webhooks are left out.',
  exportFormat: 'Posts as',
  exportFormats: { written: 'They were written', markdown: 'Markdown', html: 'HTML' },
  exportStart: 'Export everything',
  exporting: (mebibytes: string) => `${mebibytes} MB received …`,
  exportStop: 'Stop',
  withoutWebhooks: 'The archive has no webhooks',
  withoutWebhooksHint: 'They couldn’t be loaded. Export again later to include them.',
  exported: 'The export is saved where your browser saves downloads.',
};
