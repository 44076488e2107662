/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  transform: {},
  testRunner: '<rootDir>/test/support/spec-runner.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  // Half of what a file takes is waiting for the database. More at once, and claims about seconds would be claims about the load.
  maxWorkers: 2,
  // A test that hangs fails; one on a busy machine does not.
  testTimeout: 120_000,
};
