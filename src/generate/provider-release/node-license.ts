import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReleaseFile } from '../../terraform/install/archive.ts'

const nodeLicenseName = 'NODE-LICENSE.txt'

/**
 * The licence of the Node inside an executable, from beside the Node that it is made of, as its archives have it;
 * where a distribution keeps it elsewhere, what it is and where that version's licence can be read.
 */
export async function nodeLicense(nodePath: string, version: string): Promise<ReleaseFile> {
  const text = await firstOf([join(dirname(nodePath), '../LICENSE'), join(dirname(nodePath), 'LICENSE')])
  const source = `https://github.com/nodejs/node/blob/${version}/LICENSE`
  const bytes = Buffer.from(
    text?.includes('Node.js')
      ? text
      : `The executable in this folder contains Node.js ${version}, which has its licence at\n${source}\n`,
  )
  return { path: nodeLicenseName, bytes, isExecutable: false }
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
}
