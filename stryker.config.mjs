/** Mutation testing of the verdict: every planted fault must make a test fail. One mutant at a time, since it shares the machine. */
export default {
  mutate: ['src/verdict/**/*.ts'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  jest: {
    configFile: 'jest.config.mjs',
    enableFindRelatedTests: false,
    config: { testMatch: ['<rootDir>/test/verdict/every-table.ts'] },
  },
  // Each mutant meets only the tests that reach it.
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  ignoreStatic: false,
  reporters: ['clear-text', 'progress', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation.json' },
  // Copied for each run: only what the tests read.
  ignorePatterns: ['/reports', '/.cache', '/dist', '/bench', '/install', '/simulator', '/test/e2e', '/test/testbed'],
  tempDirName: '.stryker-tmp',
  thresholds: { high: 95, low: 90, break: 85 },
};
