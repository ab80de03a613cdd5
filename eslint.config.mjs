/** Type-checked lint for everything, and the size limits the sources keep. */
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const limits = {
  complexity: ['error', 10],
  'max-depth': ['error', 3],
  'max-params': ['error', 4],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: false, skipComments: false }],
  'max-lines': ['error', { max: 250 }],
  'func-style': ['error', 'declaration', { allowArrowFunctions: true }],
  'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
  '@typescript-eslint/explicit-function-return-type': ['error', { allowExpressions: true }],
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', 'reports/', '.cache/', '.stryker-tmp/', 'test/**/fixtures/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...limits,
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
      // @kubernetes/client-node declares its models as classes; what we read and write is plain JSON of that shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/explicit-function-return-type': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { ...limits, 'no-restricted-exports': 'off', '@typescript-eslint/explicit-function-return-type': 'off' },
  },
  prettier,
);
