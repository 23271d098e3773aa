import { defineConfig } from 'oxlint';
import { serviceNames } from './libs/payload-schemas/src/services.ts';

/**
 * Which package may import which: docs/ARCHITECTURE.md "Boundaries". Tooling (the local servers, what starts services,
 * what tests stand on) imports libs; what ships imports tooling only from its tests.
 */
const boundariesWith = (...testTags: string[]) => ({
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

const withTypes = [
  'typescript/await-thenable',
  'typescript/no-array-delete',
  'typescript/no-base-to-string',
  'typescript/no-duplicate-type-constituents',
  'typescript/no-floating-promises',
  'typescript/no-for-in-array',
  'typescript/no-implied-eval',
  'typescript/no-misused-promises',
  'typescript/no-redundant-type-constituents',
  'typescript/no-unnecessary-type-assertion',
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-enum-comparison',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
  'typescript/no-unsafe-unary-minus',
  'typescript/only-throw-error',
  'typescript/prefer-promise-reject-errors',
  'typescript/require-await',
  'typescript/restrict-plus-operands',
  'typescript/restrict-template-expressions',
  'typescript/switch-exhaustiveness-check',
  'typescript/unbound-method',
] as const;

/** Of oxlint's category "correctness": what they forbid is meant here. */
const tooStrict = [
  'no-unsafe-optional-chaining',
  'typescript/no-meaningless-void-operator',
  'typescript/no-misused-spread',
  'typescript/no-useless-default-assignment',
  'typescript/require-array-sort-compare',
];

/** Of other categories, what ESLint and typescript-eslint recommend. */
const recommended = [
  'no-case-declarations',
  'no-empty',
  'no-fallthrough',
  'no-prototype-builtins',
  'no-var',
  'prefer-const',
  'typescript/ban-ts-comment',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-unsafe-function-type',
];

const tests = ['**/*.spec.ts', '**/test/**/*.ts', '**/e2e/**/*.ts'];
const allOf = (level: 'error' | 'off', rules: readonly string[]) =>
  Object.fromEntries(rules.map((rule) => [rule, level]));

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['@nx/eslint-plugin', 'eslint-plugin-regexp', './scripts/lint/rules.mjs'],
  categories: { correctness: 'error' },
  options: { typeAware: true, typeCheck: true, denyWarnings: true },
  // Examples are projects of their own, with packages that are not installed here.
  ignorePatterns: ['examples/**', '**/dist/**', '**/src/generated/**'],
  rules: { ...allOf('error', [...withTypes, ...recommended]), ...allOf('off', tooStrict) },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        '@nx/enforce-module-boundaries': ['error', boundariesWith()],
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        'typescript/consistent-type-imports': 'error',
      },
    },
    {
      files: ['**/*.ts'],
      excludeFiles: ['**/*-store.ts', '**/*.spec.ts', '**/open-database.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['@prisma/*', '**/generated/prisma/*'],
                message: 'Only *-store.ts files speak to the database.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
      excludeFiles: [
        '**/{main,*.main,migrate,rebuild,check-consistency}.ts',
        '**/*.spec.ts',
        'libs/{testing,local-infrastructure,local-services}/**',
      ],
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'process', property: 'env', message: 'Only main.ts and commands read the environment.' },
        ],
      },
    },
    {
      files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
      excludeFiles: ['libs/postgres/**', 'apps/bench/**', '**/*.spec.ts'],
      rules: { 'workspace/no-own-pools': 'error' },
    },
    {
      // A few kilobytes of what a tenant sends could stop everybody else for minutes.
      files: ['apps/*/src/**/*.{ts,tsx}', 'libs/*/src/**/*.ts'],
      excludeFiles: [
        '**/*.spec.ts',
        'apps/{bench,end-to-end,local-stack}/**',
        'libs/{testing,local-*}/**',
        '**/src/documents/**',
      ],
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      },
    },
    {
      files: ['apps/dashboard/src/**/*.{ts,tsx}'],
      excludeFiles: ['**/*.spec.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['@blog-content/*'],
                allowTypeImports: true,
                message: 'Types only: the bundle carries no schema.',
              },
              {
                group: ['@mantine/core'],
                importNames: ['TextInput', 'PasswordInput', 'Textarea'],
                message: 'parts/forms/inputs.tsx has them, with errors in our words.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['**/*.{js,mjs}'],
      env: { node: true, es2024: true },
      rules: { ...allOf('off', withTypes), 'no-undef': 'error' },
    },
    {
      files: tests,
      rules: {
        ...allOf(
          'off',
          withTypes.filter((rule) => rule.startsWith('typescript/no-unsafe-') && !/enum|unary/.test(rule)),
        ),
        '@nx/enforce-module-boundaries': ['error', boundariesWith('type:tooling', 'type:published')],
      },
    },
  ],
});
