import { isBusy, OperationalError } from '@blog-content/service-runtime';
import { ContentBreaksWork } from '../../../content/content-work.ts';
import { problemText } from '../problem-text.ts';

/** The file itself is why it cannot be imported: trying again would not help. The message is for its owner. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** Another transaction has just made, renamed or deleted a blog with the slug: the next try sees it. */
export class FileConflict extends Error {
  override readonly name = 'FileConflict';
}

/** @throws FileRefused for content that is refused or that breaks the parser; not for errors that may pass. */
export async function orFileRefused<Result>(cleaning: Promise<Result>): Promise<Result> {
  try {
    return await cleaning;
  } catch (error) {
    if (error instanceof ContentBreaksWork) throw new FileRefused('The content is unreadable.', { cause: error });
    if (error instanceof OperationalError && !isBusy(error))
      throw new FileRefused(problemText(error), { cause: error });
    throw error;
  }
}
