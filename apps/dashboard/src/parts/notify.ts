import { notifications } from '@mantine/notifications';
import { common } from '../strings/common.ts';
import { explainError } from './explain-error.ts';

const closeButtonProps = { 'aria-label': common.close };

/** Short notices in the corner. What must not be missed belongs into the page. */
export const notify = {
  done(message: string): void {
    notifications.show({ message, color: 'green', closeButtonProps });
  },
  /** What somebody else did. It stays until it is closed. */
  news(message: string): void {
    notifications.show({ message, autoClose: false, closeButtonProps });
  },
  /** What was not even asked for, and why. */
  refused(message: string): void {
    notifications.show({ message, color: 'red', closeButtonProps });
  },
  failed(error: unknown): void {
    const { title, detail, todo } = explainError(error);
    notifications.show({
      title,
      message: detail === null ? todo : `${detail} ${todo}`,
      color: 'red',
      autoClose: 10_000,
      closeButtonProps,
    });
  },
};
