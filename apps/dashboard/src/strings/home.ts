const count = (number: number, one: string, many: string) => `${number.toLocaleString()} ${number === 1 ? one : many}`;

export const home = {
  title: 'Home',
  more: 'More actions',
  figures: {
    label: 'Last 7 days',
    published: 'Published this week',
    posts: (number: number, isMore: boolean) => `${number.toLocaleString()}${isMore ? '+' : ''}`,
    postsText: (number: number) => (number === 1 ? 'post' : 'posts'),
    success: 'Delivery success',
    percent: (number: number) => `${number}%`,
    noDeliveries: 'No deliveries this week',
    delivered: (done: number, all: number) => `${done.toLocaleString()} of ${all.toLocaleString()} publishes delivered`,
    requests: 'API requests',
    requestsText: 'in the last 7 days',
    noKey: 'No public key yet',
    none: '–',
  },
  attention: {
    title: 'Needs attention',
    allWell: 'All caught up',
    allWellText: 'Failing destinations, missed deliveries and late posts appear here.',
    notSeen: 'Couldn’t load everything. Some items may be missing.',
    failing: (name: string) => `Deliveries to “${name}” are failing`,
    missedBy: (name: string, posts: number) =>
      `${count(posts, 'post is', 'posts are')} live, but “${name}” didn’t get ${posts === 1 ? 'it' : 'them'}`,
    failingSince: 'Started failing',
    missed: (posts: readonly string[]) =>
      posts.length === 1 ? `“${posts[0]}” wasn’t delivered.` : `${posts.length} posts weren’t delivered.`,
    resendsFailed: (name: string, failed: number) =>
      failed === 1 ? `The last delivery to “${name}” failed` : `The last ${failed} deliveries to “${name}” failed`,
    resendsFailedText: 'A resend, a link update or an unpublish didn’t arrive.',
    webhookPaused: (name: string) => `“${name}” is paused`,
    missedWhilePaused: (posts: readonly string[]) =>
      posts.length === 1 ? `“${posts[0]}” wasn’t sent to it.` : `${posts.length} live posts weren’t sent to it.`,
    liveBut: (title: string, missing: number, all: number) =>
      all === 1
        ? `“${title}” is live, but the destination didn’t get it`
        : `“${title}” is live, but ${missing} of ${all} destinations didn’t get it`,
    because: (name: string, detail: string | null) => (detail === null ? `${name}.` : `${name}: ${detail}`),
    rebuild: 'The last rebuild failed',
    model: 'Autopilot has no AI model',
    modelText: 'Without a model it only writes outlines, which stay drafts.',
    budget: 'The monthly budget is used up',
    budgetText: 'Nothing more is generated until it renews',
    stopped: 'Autopilot has stopped',
    waiting: 'Autopilot is waiting',
    paused: 'Autopilot is paused',
    pausedText: 'It stays paused until someone resumes it.',
    late: (title: string) => `“${title}” is late`,
    lateText: 'It should have been published',
    review: (title: string) => `“${title}” is ready for review`,
    reviewText: 'Autopilot publishes it',
    fix: 'Fix',
    toReview: 'Review',
    actionOn: (action: string, title: string) => `${action}: ${title}`,
    more: (number: number) => `${count(number, 'more', 'more')}:`,
    toAll: {
      webhook: 'Open webhooks',
      resends: 'Open webhooks',
      paused: 'Open webhooks',
      post: 'Open Publishing',
      late: 'Open calendar',
      review: 'Open calendar',
    } as Readonly<Record<string, string>>,
  },
  drafts: {
    title: 'Continue writing',
    all: 'All posts',
    none: 'No drafts in progress.',
    edited: 'Edited',
  },
  upcoming: {
    title: 'Upcoming',
    all: 'Calendar',
    none: 'Nothing is scheduled.',
    autopilot: 'Autopilot',
  },
};
