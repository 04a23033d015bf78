import { defineConfig } from 'vitest/config'
import { serviceFiles, servicesOfRun, serviceVariable, testFiles } from './test/suites.ts'

const { sharing, replacing } = testFiles()
const services = servicesOfRun()

export default defineConfig({
  test: {
    pool: 'threads',
    // Vitest keeps one processor for itself, of two that is half: its own work is small.
    maxWorkers: '100%',
    // Generous, since what is waited for is done by processes on machines that are busy: a test that hangs fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What was compiled for one run is taken up by the next, by its content.
    experimental: { fsModuleCache: true },
    globalSetup: ['test/engines/use-engine.ts'],
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
      // Apart, since a worker ends when a file of the other group is next, with all that it has loaded.
      { extends: true, test: { name: 'replacing', include: replacing, sequence: { groupOrder: 1 } } },
      ...services.map(name => ({
        extends: true as const,
        test: {
          name,
          include: serviceFiles(),
          isolate: false,
          env: { [serviceVariable]: name },
          sequence: { groupOrder: 2 },
        },
      })),
    ],
  },
})
