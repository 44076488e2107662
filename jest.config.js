/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  transform: {},
  testRunner: '<rootDir>/test/support/spec-runner.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  // A third of what a file takes is waiting: three keep two cores busy.
  maxWorkers: 3,
  // A test that hangs fails; one on a busy machine does not.
  testTimeout: 180_000,
};
