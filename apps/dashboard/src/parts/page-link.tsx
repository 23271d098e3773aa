import { Anchor, Button, type AnchorProps, type ButtonProps, type PolymorphicComponentProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

/** A link to a page of the dashboard. */
export const PageLink = createLink(Anchor<'a'>);

/** The link above a page's title, to the list that it is part of. */
export const BackLink = createLink(({ children, ...props }: PolymorphicComponentProps<'a', AnchorProps>) => (
  <Anchor size="sm" c="dimmed" style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }} {...props}>
    <ArrowLeft size={14} aria-hidden />
    {children}
  </Anchor>
));

/** Such a link that looks like a button. */
export const PageButton = createLink((props: PolymorphicComponentProps<'a', ButtonProps>) => (
  <Button component="a" {...props} />
));
