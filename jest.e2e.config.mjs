/** The suites that need a real control plane: one at a time, each with its own. Run by test/e2e/run.mjs. */
import base from './jest.config.mjs';

export default {
  ...base,
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    // 500 nodes want a machine of their own: the suite that measures with them runs at night.
    ...(process.env.PREPULLER_NIGHTLY === '1' ? [] : ['/latency.test.ts$']),
    // Needs programs with faults: scripts/e2e-faults.mjs makes them.
    ...(process.env.PREPULLER_FAULTS === undefined ? ['/faults.test.ts$'] : []),
    ...(process.env.PREPULLER_ARGOCD_FAULTS === undefined ? ['/argocd-faults.test.ts$'] : []),
  ],
  maxWorkers: 1,
  testTimeout: 120_000,
};
