import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ['test/support/seed.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'coverage/test-run.json' }]] : ['default'],
  },
})
