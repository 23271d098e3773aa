import { Anchor, Button, type ButtonProps, type PolymorphicComponentProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to a page of the dashboard. */
export const PageLink = createLink(Anchor<'a'>);

/** Such a link that looks like a button. */
export const PageButton = createLink((props: PolymorphicComponentProps<'a', ButtonProps>) => (
  <Button component="a" {...props} />
));
