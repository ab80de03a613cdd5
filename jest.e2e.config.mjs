/** The suites that need a real control plane: one at a time, each with its own. Run by test/e2e/run.mjs. */
import base from './jest.config.mjs';

export default {
  ...base,
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  // 500 nodes want a machine of their own: the suite that measures with them runs at night.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.PREPULLER_NIGHTLY === '1' ? [] : ['/latency.test.ts$'])],
  maxWorkers: 1,
  testTimeout: 120_000,
};
