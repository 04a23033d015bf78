import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox, serveSandbox } from '../../sandbox/index.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { packageRoot } from '../package-root.ts'
import { run } from '../run.ts'

/**
 * `vexil demo`: the main job, end to end, over real HTTP: the sandbox is started, the example repository planned,
 * applied and planned again. Each step is the command that a person would type.
 */
export async function runDemo(host: Host): Promise<ExitCode> {
  const examples = join(packageRoot(), 'examples', 'gitops')
  const folder = await mkdtemp(join(tmpdir(), 'vexil-demo-'))
  const sandbox = await createSandbox({ world: host.world, empty: false })
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 })
  try {
    await cp(examples, folder, { recursive: true })
    const step = async (title: string, command: string, ...given: string[]) => {
      host.stdout.write(`\n$ vexil ${[command, ...given].join(' ')}      # ${title}\n\n`)
      // What the environment says of a real service must not reach this one.
      const others = Object.entries(host.env).filter(([name]) => !/^(VEXIL|POSTHOG)_/.test(name))
      const env = {
        ...Object.fromEntries(others),
        VEXIL_API_KEY: sandbox.summary.api_key,
        VEXIL_BASE_URL: served.url,
      }
      return run({ ...host, directory: folder, env, arguments: [command, ...given] })
    }
    host.stdout.write(
      `A stand-in of the service listens on ${served.url}; examples/gitops is what we want there.\n`,
    )
    const codes = [
      await step('what would happen', 'plan', '--env', 'production'),
      await step('make it so', 'apply', '--env', 'production', '--auto-approve'),
      await step('again: nothing is left to do', 'plan', '--env', 'production', '--detailed-exitcode'),
    ]
    const failed = codes.find(code => code !== exitCode.done)
    if (failed !== undefined) return failed
    host.stdout.write(nextSteps)
    return exitCode.done
  } finally {
    await served.close()
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const nextSteps = `
What to try next:
  npx vexil sandbox                       a stand-in that keeps running; it prints what to export
  npx vexil init my-flags                 a repository of your own
  npx vexil plan -C my-flags --sandbox    plan it against an embedded stand-in
  npx vexil --help                        everything else
`
