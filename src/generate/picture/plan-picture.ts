import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { realRuntime } from '../../core/real-runtime.ts'
import { createSandbox, serveSandbox } from '../../sandbox/index.ts'
import { terminalSvg } from './terminal-svg.ts'
import { vexilFromSource } from './vexil-from-source.ts'

const root = join(import.meta.dirname, '../../..')

/** Where the example says that the service is; the sandbox of the picture listens elsewhere. */
const address = 'http://127.0.0.1:8100'

const line = 'plan --env production --target checkout_v2 --target dark-mode --target old-search'

/** An edit of the example that goes too far in one step, as its README proposes. */
const edit = { file: 'flags/platform.yaml', from: 'rollout_percentage: 50', to: 'rollout_percentage: 100' }

/** The picture of the README: what `vexil plan` prints of `examples/gitops` against a fresh sandbox. */
export async function planPicture(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-picture-'))
  const sandbox = await createSandbox({ runtime: realRuntime, empty: false })
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 })
  try {
    await cp(join(root, 'examples/gitops'), folder, { recursive: true })
    await replace(join(folder, edit.file), edit.from, edit.to)
    await replace(join(folder, 'vexil.yaml'), address, served.url)
    // In the folder itself, so that the next command which the plan names has no path of this machine.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...vexilFromSource, ...line.split(' '), '--color', 'always'],
      { cwd: folder, env: { PATH: process.env.PATH, VEXIL_API_KEY: sandbox.summary.api_key } },
    )
    return terminalSvg(`vexil ${line}`, `$ vexil ${line}\n\n${stdout.replaceAll(served.url, address)}`)
  } finally {
    await served.close()
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function replace(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(from)) throw new Error(`"${file}" does not say "${from}"`)
  // In `vexil.yaml` each environment has the address; of flags only the first is meant.
  await writeFile(file, from === address ? text.replaceAll(from, to) : text.replace(from, to))
}
