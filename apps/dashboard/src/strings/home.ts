const count = (number: number, one: string, many: string) => `${number.toLocaleString()} ${number === 1 ? one : many}`;

export const home = {
  title: 'Home',
  attention: 'Needs attention',
  allWell: 'Nothing needs you now. Receivers that fail, publishes that fail and posts that are due stand here.',
  failingReceiver: (name: string) => `The receiver “${name}” fails`,
  failingSince: 'since',
  failedPublish: (title: string) => `Publishing “${title}” has failed`,
  failedPublishText: (receivers: string) =>
    `These receivers did not get it: ${receivers}. See why, then publish again.`,
  failedHook: 'The last call of the deploy hook has failed',
  due: (title: string) => `“${title}” will be published`,
  dueReview: (title: string) => `“${title}” waits for your review: the autopilot publishes it`,
  overdue: (title: string) => `“${title}” should have been published`,
  stopped: 'The autopilot has stopped',
  waiting: 'The autopilot waits',
  paused: 'The autopilot is paused',
  look: 'Look at it',
  first: 'Three steps to your first post on your site',
  done: 'Done',
  steps: {
    write: { title: 'Write a post', text: 'It begins as a draft that only members see.', action: 'Write a post' },
    connect: {
      title: 'Connect your site',
      text: 'A static site reads the posts with a key when it is built. Any other site gets each post by webhook.',
      action: 'Get a key',
      other: 'Add a webhook',
      editor: 'An owner of the project does this.',
    },
    publish: {
      title: 'Publish',
      text: 'Readers get the post at once, and receivers are told. You see what became of it at each.',
      action: 'Choose a post to publish',
    },
  },
  step: (number: number, title: string) => `${number}. ${title}`,
  recent: 'Newest posts',
  all: 'All posts',
  notSeen: 'Some of this could not be looked up, so something may be missing here.',
  more: {
    receiver: (number: number) => `${count(number, 'more receiver fails', 'more receivers fail')}.`,
    // Older ones were not looked at.
    publish: (number: number) => `${number.toLocaleString()} more of the newest publishes failed.`,
    due: (number: number) => `${count(number, 'more post is', 'more posts are')} due, or will be after your review.`,
  },
  toAll: { receiver: 'Open the webhooks', publish: 'Open Publishing', due: 'Open the calendar' },
};
