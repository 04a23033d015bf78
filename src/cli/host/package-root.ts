import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of this package, whether it runs from its sources or from a bundle. */
export function packageRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}
