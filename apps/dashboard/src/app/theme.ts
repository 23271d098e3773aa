import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const shades = (...hex: string[]) => hex.map((digits) => `#${digits}`) as unknown as MantineColorsTuple;

const FAST = { transitionProps: { duration: 140 } };

/** Sizes and shapes. The colours of both schemes are in `looks/tokens.css`, which axe judges in the browser tests. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  black: '#16181d',
  colors: {
    accent: shades('f0fdfa', 'e6f4f1', '99f6e4', '5eead4', '2dd4bf', '14b8a6', '0d9488', '0f766e', '115e59', '134e4a'),
    gray: shades('f7f7f5', 'f0f0ed', 'e6e6e2', 'd9d9d4', 'c9c9c3', 'a5a8ae', '767c88', '5b616e', '3a3f48', '16181d'),
    dark: shades('ecedee', 'a0a6ae', '8c929a', '6b7178', '2b2f34', '25292d', '1e2124', '101214', '17191c', '0b0d0e'),
  },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '0.78125rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.28', sm: '1.42857', md: '1.42857', lg: '1.5', xl: '1.45' },
  fontWeights: { medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1.125rem', lineHeight: '1.625rem' },
      h3: { fontSize: '1rem', lineHeight: '1.5rem' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.375rem' },
      h5: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      h6: { fontSize: '0.78125rem', lineHeight: '1rem' },
    },
  },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  shadows: { xs: 'none', sm: 'none', md: 'var(--shadow)', lg: 'var(--shadow)', xl: 'var(--shadow)' },
  // In dark, white cannot be read on the accent.
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === 'filled' && { color: 'var(--on-filled)' }),
  }),
  components: {
    Alert: { defaultProps: { variant: 'light' } },
    Menu: { defaultProps: FAST },
    Modal: { defaultProps: FAST },
    ModalRoot: { defaultProps: { ...FAST, radius: 'lg' } },
    Paper: { defaultProps: { radius: 'lg' } },
    // The keyboard reaches the button that shows a password.
    PasswordInput: { defaultProps: { visibilityToggleFocusable: true } },
    Popover: { defaultProps: FAST },
    Table: { defaultProps: { verticalSpacing: 'sm' } },
    Tooltip: { defaultProps: FAST },
  },
});

/** Mantine’s names of colours, by those of `tokens.css`. */
const TONES = { accent: 'accent', red: 'danger', yellow: 'warning', orange: 'warning', green: 'success' };

const MAPPED: Record<string, string> = {
  '--mantine-color-body': 'var(--canvas)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-success': 'var(--success)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-disabled': 'var(--neutral-soft)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--border)',
  '--mantine-primary-color-contrast': 'var(--on-filled)',
  ...Object.fromEntries(
    Object.entries(TONES).flatMap(([name, tone]) => [
      [`--mantine-color-${name}-text`, `var(--${tone})`],
      [`--mantine-color-${name}-filled`, `var(--${tone})`],
      [`--mantine-color-${name}-filled-hover`, `var(--${tone}-hover, var(--${tone}))`],
      [`--mantine-color-${name}-light`, `var(--${tone}-soft)`],
      [`--mantine-color-${name}-light-hover`, `color-mix(in srgb, var(--${tone}-soft), var(--${tone}) 10%)`],
      [`--mantine-color-${name}-light-color`, `var(--${tone})`],
      [`--mantine-color-${name}-outline`, `var(--${tone})`],
      [`--mantine-color-${name}-outline-hover`, `var(--${tone}-soft)`],
    ]),
  ),
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: MAPPED, dark: MAPPED });
