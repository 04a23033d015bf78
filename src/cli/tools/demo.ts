import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox, serveSandbox } from '../../sandbox/index.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, packageRoot, type RunProgram } from '../host/host.ts'

/**
 * `vexil demo`: starts the sandbox, plans the example repository, applies the plan and plans again, with
 * ordinary commands over HTTP.
 */
export async function runDemo(host: Host, run: RunProgram): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-demo-'))
  const sandbox = await createSandbox({ runtime: host.runtime, empty: false })
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 })
  try {
    await copyExample(folder, served.url)
    // Removes variables for a real service.
    const others = Object.entries(host.env).filter(([name]) => !/^(VEXIL|POSTHOG)_/.test(name))
    const env = { ...Object.fromEntries(others), VEXIL_API_KEY: sandbox.summary.api_key }
    host.stdout.write(
      `A sandbox of the service listens on ${served.url}; examples/gitops has the declarations.\n`,
    )
    for (const { title, line } of steps) {
      host.stdout.write(`\n$ vexil ${line}      # ${title}\n\n`)
      const code = await run({
        ...host,
        directory: folder,
        isFleeting: true,
        env,
        arguments: line.split(' '),
      })
      if (code !== exitCode.done) return code
    }
    host.stdout.write(nextSteps)
    return exitCode.done
  } finally {
    await served.close()
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const steps = [
  { title: 'what would happen', line: 'plan --env production --out plan.json' },
  { title: 'carry it out', line: 'apply plan.json --env production' },
  { title: 'again: nothing is left to do', line: 'plan --env production --detailed-exitcode' },
] as const

/** Copies the example, with the address of this sandbox. */
async function copyExample(folder: string, url: string): Promise<void> {
  await cp(join(packageRoot(), 'examples', 'gitops'), folder, { recursive: true })
  const settings = join(folder, 'vexil.yaml')
  const text = await readFile(settings, 'utf8')
  await writeFile(settings, text.replaceAll(/(?<=^ *base_url: ).*$/gm, url))
}

const nextSteps = `
What to try next:
  npx vexil sandbox                       a sandbox that keeps running; it prints what to export
  npx vexil init my-flags                 a repository of your own
  npx vexil plan -C my-flags --sandbox    plan it against an embedded sandbox
  npx vexil --help                        everything else
`
