import { readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { versions } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { defineConfig } from 'vitest/config'
import { lateOptimizing } from './src/cli/host/compiled-code.ts'
import { binaryOf, titleOf } from './test/engines/engines.ts'
import {
  engineFiles,
  enginesOfRun,
  serviceFiles,
  servicesOfRun,
  serviceVariable,
  testFiles,
  withoutVariable,
} from './test/suites.ts'

const { starting, sharing, replacing } = testFiles()
const services = servicesOfRun()

// Most code of a test has ended before it has paid for being optimized: a quarter of the processor time of a run went
// there. `src/cli/start.ts` does the same for a command. Workers that are threads go by the flags of this process.
// A test makes much that it soon drops: collecting it less often saves a twentieth.
const flags = [...lateOptimizing(versions.v8), '--min-semi-space-size=16', '--max-semi-space-size=64']
for (const flag of flags) setFlagsFromString(flag)
const processes = { pool: 'forks', execArgv: flags } as const

export default defineConfig({
  plugins: [
    {
      name: 'no-missing-sources',
      // Vite tells of each file that names sources which are not in its package.
      load: id =>
        /node_modules\/@actions\/.*\.js$/.test(id)
          ? readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
          : undefined,
    },
  ],
  test: {
    pool: 'threads',
    // Vitest keeps one processor for itself, of two that is half: its own work is small.
    maxWorkers: '100%',
    // Generous, since what is waited for is done by processes on machines that are busy: a test that hangs fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // What was compiled for one run is taken up by the next, by its content.
    experimental: { fsModuleCache: true },
    // It imports JSON in a way that Node takes for none.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
    setupFiles: ['test/support/seed.ts', 'test/support/small-process.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'coverage/test-run.json' }]] : ['default'],
    coverage: {
      include: ['src/**/*.ts'],
      exclude: ['src/constructs/generated/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
    },
    projects: [
      // In processes of their own, which are small as yet: to start another takes as long as to copy the tables of all memory.
      { extends: true, test: { name: 'starting', include: starting, ...processes, isolate: false } },
      // Half of a run was loading the same modules again for each file.
      {
        extends: true,
        test: { name: 'sharing', include: sharing, isolate: false, sequence: { groupOrder: 2 } },
      },
      // Apart, since a worker ends when a file of the other group is next, with all that it has loaded.
      { extends: true, test: { name: 'replacing', include: replacing, sequence: { groupOrder: 3 } } },
      ...services.flatMap(name => {
        const { starting, sharing } = serviceFiles(name)
        return [
          forService(name, { name: `${name} starting`, include: starting, ...processes, groupOrder: 1 }),
          forService(name, { name, include: sharing, groupOrder: 4 }),
        ]
      }),
      // One after the other: what is loaded has asked which Terraform there is.
      ...enginesOfRun().map((engine, index) => ({
        extends: true as const,
        test: {
          name: titleOf(engine),
          include: [...engineFiles],
          isolate: false,
          env: {
            PATH: [dirname(binaryOf(engine)), process.env.PATH].filter(Boolean).join(delimiter),
            [withoutVariable]: '',
          },
          sequence: { groupOrder: 5 + index },
        },
      })),
    ],
  },
})

interface ServiceProject {
  readonly name: string
  readonly include: string[]
  readonly pool?: 'forks'
  readonly execArgv?: string[]
  readonly groupOrder: number
}

function forService(service: string, { groupOrder, ...project }: ServiceProject) {
  return {
    extends: true as const,
    test: { ...project, isolate: false, env: { [serviceVariable]: service }, sequence: { groupOrder } },
  }
}
