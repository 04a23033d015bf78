import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type CliResult, cli, folderWith } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

const cdktf = createRequire(import.meta.url).resolve('cdktf')

/** A program that synthesizes stacks, each from its own parts of a configuration. */
export function app(stacks: Readonly<Record<string, unknown>>, more = ''): string {
  return `
const { App, TerraformStack } = require(${JSON.stringify(cdktf)})
const app = new App()
for (const [name, parts] of Object.entries(${JSON.stringify(stacks)})) {
  const stack = new TerraformStack(app, name)
  for (const [part, value] of Object.entries(parts)) stack.addOverride(part, value)
}
${more}
console.log('synthesizing')
app.synth()
`
}

/** How a command runs such a program that is called `main.cjs`. */
export const main = ['--app', 'node main.cjs']

export function flag(key: string, over: object = {}) {
  return { key, active: true, release: [{ rollout_percentage: 5 }], ...over }
}

export function flags(all: Readonly<Record<string, object>>, more: object = {}) {
  return { resource: { vexil_feature_flag: all }, ...more }
}

export function filledIn(expression: string): string {
  return `\${${expression}}`
}

/** A service for a whole file, and folders that are removed after each test. */
export function useFolders() {
  let opened: Service | undefined
  const folders: (() => Promise<void>)[] = []
  beforeAll(async () => {
    opened = await startService()
  })
  afterEach(async () => {
    for (const remove of folders.splice(0)) await remove()
  })
  afterAll(() => opened?.close())
  const service = () => {
    if (!opened) throw new Error('the service is not there yet')
    return opened
  }
  return {
    service,
    async folder(files: Readonly<Record<string, string>>): Promise<string> {
      const { path, remove } = await folderWith(files)
      folders.push(remove)
      return path
    },
    run(
      directory: string,
      line: readonly string[],
      env: Readonly<Record<string, string>> = service().env,
    ): Promise<CliResult> {
      return cli(line, { directory, env })
    },
  }
}
