/**
 * One jest set-up for every package: ES modules, TypeScript stripped by swc, workspace packages taken from
 * their sources, infrastructure (PostgreSQL, Kafka) started on first need and shared by the whole run.
 */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@blog-content/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  testMatch: ['<rootDir>/**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024', keepClassNames: true },
        module: { type: 'es6' },
      },
    ],
  },
  reporters: ['default', new URL('scripts/failure-reporter.mjs', import.meta.url).pathname],
  // Longer than `eventually` waits, which says what is missing; no test is meant to come near either.
  testTimeout: 180_000,
};
