import { defineConfig } from 'vitest/config'
import { testFiles } from './test/suites.ts'

const { sharing, replacing } = testFiles()

export default defineConfig({
  test: {
    pool: 'threads',
    // Generous, since what is waited for is done by processes on machines that are busy: a test that hangs fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/support/seed.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'coverage/test-run.json' }]] : ['default'],
    coverage: {
      include: ['src/**/*.ts'],
      exclude: ['src/constructs/generated/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
    },
    projects: [
      // Half of a run was loading the same modules again for each file.
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      { extends: true, test: { name: 'replacing', include: replacing } },
    ],
  },
})
