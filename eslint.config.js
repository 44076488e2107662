import tseslint from 'typescript-eslint';
const READS = [
  {
    selector: "TSAsExpression > MemberExpression.expression[property.name='data']",
    message: 'The data of a stored event is read through its upcasters: readEvent, asCreated or foldStream give it typed.',
  },
  {
    selector: "CallExpression[callee.object.name='AbortSignal'][callee.property.name='timeout']",
    message: 'Node 20 may forget it below AbortSignal.any, and the deadline never comes: timeLimit of src/platform/async/waiting.ts.',
  },
];
const SPREAD_FIELDS = {
  selector: ':matches(Property, SpreadElement) ~ SpreadElement > ObjectExpression',
  message: 'Write each field of events, rows and answers on its own: V8 copies a spread literal field by field, 0.3 µs each.',
};

export default tseslint.config(
  { ignores: ['**/dist', 'packages/client/src/schema.ts', '**/*.cjs', '**/*.mjs', '*.config.js', 'src/web/checkout/assets'] },
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/require-await': 'off',
      // A name of underscores only says that a value is left out on purpose.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_+$' }],
    },
  },
  {
    files: ['src/**', 'projections/**', 'tools/**'],
    rules: {
      // So much is read at once.
      'max-lines': ['error', 350],
      'max-lines-per-function': ['error', 60],
      'no-restricted-syntax': ['error', ...READS],
    },
  },
  {
    // Pages, commands and the start of a process are not built for each event or row.
    files: ['src/**', 'projections/**'],
    ignores: ['src/app/**', 'src/cli/**', 'src/web/console/**'],
    rules: { 'no-restricted-syntax': ['error', ...READS, SPREAD_FIELDS] },
  },
  {
    // What a client is answered has no type before it was looked at, which is what the tests are for.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
