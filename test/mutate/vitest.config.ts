import { join } from 'node:path'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from '../../vitest.config.ts'

const { projects: _, ...test } = base.test ?? {}
const root = join(import.meta.dirname, '../..')
const files = (env.MUTATE_FILES ?? '').split(' ')
const place = ({ moduleId }: TestSpecification) => files.findIndex(file => moduleId.endsWith(`/${file}`))

/** The tests that `main.ts` names, in its order, in one thread that keeps what it has loaded. */
export default defineConfig({
  ...base,
  root,
  cacheDir: join(root, '.mutate/vite'),
  test: {
    ...test,
    include: files,
    isolate: false,
    maxWorkers: 1,
    reporters: [],
    runner: join(import.meta.dirname, 'runner.ts'),
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, '.mutate/modules') },
    sequence: {
      sequencer: class extends BaseSequencer {
        override async sort(specifications: TestSpecification[]) {
          return specifications.sort((one, other) => place(one) - place(other))
        }
      },
    },
  },
})
