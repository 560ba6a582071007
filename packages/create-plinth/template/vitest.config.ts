import { defineConfig } from 'vitest/config'

// A service starts in a fraction of a second, but on a busy machine it can take longer than the limits of Vitest allow.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } })
