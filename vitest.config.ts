import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  // Packages of this repository are tested from their source.
  ssr: { resolve: { conditions: ['plinth-source', 'node'] } },
  test: {
    include: ['**/*.test.ts'],
    // The full product of what `npm test` takes samples of.
    exclude: [
      ...configDefaults.exclude,
      '**/dist/**',
      'packages/create-plinth/template/**',
      ...(process.env.TEST_ALL === 'true' ? [] : ['**/*.all.test.ts']),
    ],
    // Processes of their own: tests open databases and ports, and the embedded database is a native module.
    pool: 'forks',
    // Services that start and stop leave much garbage. With more room for the young objects, collecting it costs less.
    execArgv: ['--max-semi-space-size=64'],
    // Each process loads the service once. So nothing may be changed for good by importing a file.
    isolate: false,
    globalSetup: ['packages/test-kit/src/global-setup.ts'],
    setupFiles: ['packages/test-kit/src/setup.ts'],
    maxWorkers: 3,
    testTimeout: 120_000,
    // The default of one second is too short for a busy machine. What was expected is printed when it is over.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 180_000,
  },
})
