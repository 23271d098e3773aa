import { withoutPlaceholders } from '@blog-content/link-resolver';
import { unprocessable } from '@blog-content/service-runtime';

/** Controls, white space, and what is not drawn: zero-width characters, direction marks, fillers. */
const UNSEEN = /[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const showsNothing = (text: string): boolean => text.replace(UNSEEN, '') === '';

/** @throws a 422 problem of the field for a text of which nothing would be seen in public. */
export function checkVisible(field: string, text: string): void {
  if (!showsNothing(withoutPlaceholders(text))) return;
  const message = showsNothing(text)
    ? 'must have a visible character'
    : 'must have text besides link placeholders, which are not published';
  throw unprocessable([{ field, message }]);
}
