/** Attributes of the viewer; its own colours fail the contrast that WCAG asks for. */
export const ATTRIBUTES = {
  light: {
    'bg-color': '#ffffff',
    'text-color': '#212529',
    'primary-color': '#1864ab',
    'secondary-color': '#1864ab',
    'nav-bg-color': '#f8f9fa',
    'nav-text-color': '#212529',
    'nav-hover-bg-color': '#e7f5ff',
    'nav-hover-text-color': '#000000',
  },
  dark: {
    'bg-color': '#242424',
    'text-color': '#e9ecef',
    'primary-color': '#74c0fc',
    'secondary-color': '#74c0fc',
    'nav-bg-color': '#1f1f1f',
    'nav-text-color': '#e9ecef',
    'nav-hover-bg-color': '#2e2e2e',
    'nav-hover-text-color': '#ffffff',
  },
} as const;

/** Variables that it reads where it stands: a colour for each method. */
export const VARIABLES = {
  light: {
    '--purple': '#6741d9',
    '--red': '#c92a2a',
    '--orange': '#a14a00',
    '--yellow': '#7d5a00',
    '--green': '#237032',
    '--blue': '#1864ab',
    '--gray': '#495057',
  },
  dark: {
    '--purple': '#b197fc',
    '--red': '#ffa8a8',
    '--orange': '#ffc078',
    '--yellow': '#ffe066',
    '--green': '#8ce99a',
    '--blue': '#74c0fc',
    '--gray': '#ced4da',
  },
} as const;

/** What neither can set. */
export const RULES = `
  * { --font-regular: var(--mantine-font-family) !important; --font-mono: var(--mantine-font-family-monospace) !important; }
  code { color: inherit !important; }
  :focus-visible { outline: 2px solid var(--primary-color) !important; outline-offset: -2px !important; }
`;
