import { createReceiver } from '@blog-content/receiver';
import { revalidateTag } from 'next/cache';
import { SITE_URL, TAG } from '../blog';

const { WEBHOOK_SECRET = '' } = process.env;

/** The next request gets a new page: another post's links may have changed, too. */
const refresh = () => revalidateTag(TAG, { expire: 0 });

/** Of the project's webhook, whose secret is `WEBHOOK_SECRET`. */
const receiver = createReceiver({
  secret: WEBHOOK_SECRET,
  onPost({ slug }) {
    refresh();
    return { url: `${SITE_URL}/blog/${slug}/` };
  },
  onUnpublish: refresh,
  onDelete: refresh,
});

export const POST = receiver.fetch;
