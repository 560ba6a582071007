// The linter finds what the compiler does not: calls that nothing awaits. Add rules of your own.

import { parser, plugin } from 'typescript-eslint'

export default [
  { ignores: ['data', 'dist', 'vendor'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser, parserOptions: { projectService: true } },
    plugins: { '@typescript-eslint': plugin },
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
  },
]
