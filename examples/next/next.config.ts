import type { NextConfig } from 'next';

export default {
  // Links between posts end in one.
  trailingSlash: true,
  turbopack: { root: import.meta.dirname },
} satisfies NextConfig;
