/** The suites that need a real control plane: one at a time, each with its own. Run by test/e2e/run.mjs. */
import base from './jest.config.mjs';

export default {
  ...base,
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
