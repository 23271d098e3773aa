import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { serviceNames } from './libs/payload-schemas/src/services.ts';

// The rules that need types are in .oxlintrc.json: oxlint checks them, and the types, in a fifth of the time.

/**
 * Which package may import which: docs/ARCHITECTURE.md "Boundaries". Tooling (the local servers, what starts services,
 * what tests stand on) imports libs; what ships imports tooling only from its tests.
 */
const boundariesWith = (...testTags) => ({
  enforceBuildableLibDependency: true,
  // Its documents are made at the first request for them; the rest of it is always there.
  checkDynamicDependenciesExceptions: ['payload-schemas'],
  allow: [],
  depConstraints: [
    { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:contract', 'type:util', 'type:runtime', ...testTags] },
    {
      sourceTag: 'type:runtime',
      onlyDependOnLibsWithTags: ['type:runtime', 'type:util', 'type:contract', ...testTags],
    },
    { sourceTag: 'type:util', onlyDependOnLibsWithTags: ['type:util', 'type:contract', ...testTags] },
    {
      sourceTag: 'type:contract',
      onlyDependOnLibsWithTags: ['type:contract', ...testTags],
      bannedExternalImports: ['express', 'kafkajs', '@prisma/*', 'got', 'pg'],
    },
    // What runs in a browser takes the contract's types, and brings none of its code.
    { sourceTag: 'type:browser', onlyDependOnLibsWithTags: ['type:contract', ...testTags] },
    {
      sourceTag: 'type:tooling',
      onlyDependOnLibsWithTags: ['type:tooling', 'type:runtime', 'type:util', 'type:contract', 'type:published'],
    },
    // What others install brings nothing of this workspace but what is published itself; its tests compare it with the rest.
    {
      sourceTag: 'type:published',
      onlyDependOnLibsWithTags: [
        'type:published',
        ...(testTags.length > 0 ? ['type:contract', 'type:util', ...testTags] : []),
      ],
    },
    { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
    ...serviceNames.map((service) => ({
      sourceTag: `scope:${service}`,
      onlyDependOnLibsWithTags: [`scope:${service}`, 'scope:shared'],
    })),
  ],
});

export default tseslint.config(
  // Examples are projects of their own, with packages that are not installed here.
  { ignores: ['examples/**', '**/dist/**', '**/src/generated/**', '.data/**', '.nx/**', '**/node_modules/**'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundariesWith()],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['**/*-store.ts', '**/*.spec.ts', '**/open-database.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['@prisma/*', '**/generated/prisma/*'], message: 'Only *-store.ts files speak to the database.' },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: [
      '**/main.ts',
      '**/*.main.ts',
      '**/migrate.ts',
      '**/rebuild.ts',
      '**/*.spec.ts',
      'libs/testing/**',
      'libs/local-infrastructure/**',
      'libs/local-services/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only main.ts and migrate.ts read the environment.' },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['libs/postgres/**', 'apps/bench/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'NewExpression[callee.name="Pool"], NewExpression[callee.property.name="Pool"], NewExpression[callee.name="PrismaPg"][arguments.0.type!="Identifier"]',
          message: 'Open it with @blog-content/postgres: a connection that breaks would end the process.',
        },
      ],
    },
  },
  {
    // A few kilobytes of what a tenant sends could stop everybody else for minutes.
    files: ['apps/*/src/**/*.{ts,tsx}', 'libs/*/src/**/*.ts'],
    ignores: [
      '**/*.spec.ts',
      'apps/{bench,end-to-end,local-stack}/**',
      'libs/{testing,local-*}/**',
      '**/src/documents/**',
    ],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['apps/dashboard/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@blog-content/*'],
              allowTypeImports: true,
              message: 'Types only: the bundle carries no schema.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts', '**/e2e/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundariesWith('type:tooling', 'type:published')],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: globals.node },
  },
  // oxfmt breaks lines where this rule sees an accident.
  { rules: { 'no-unexpected-multiline': 'off' } },
);
