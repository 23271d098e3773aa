/** Spec files that need a program which this machine lacks: `npm test` names them, and lists them at its end. */
const leftOut = (process.env.TESTS_LEFT_OUT ?? '').split(':').filter((path) => path !== '');

/**
 * One jest set-up for every package: workers are threads of plain Node that load TypeScript and workspace packages from
 * their sources, and keep what they have loaded for the next spec file (a context of its own for each would load it all
 * again). The servers are those of the run (libs/testing).
 */
export default {
  runner: 'jest-light-runner',
  // One would run within jest itself, and an uncaught error end the whole run.
  maxWorkers: 2,
  transform: {},
  setupFilesAfterEnv: [new URL('scripts/test/deadlines.mjs', import.meta.url).pathname],
  testMatch: ['<rootDir>/**/*.spec.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...leftOut.map((path) => `/${path.replaceAll('.', '\\.')}$`)],
  passWithNoTests: leftOut.length > 0,
  reporters: ['default', new URL('scripts/test/failure-reporter.mjs', import.meta.url).pathname],
};
