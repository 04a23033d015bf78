import { readFile, writeFile } from 'node:fs/promises'
import type { InitDocument } from '../../../report/document.ts'
import { ignoredByGit, type StarterFile } from '../../../yaml/write/init.ts'

/** What became of a file that a repository starts with. */
export type FileState = InitDocument['files'][number]['state']

/** Writes one file; one that belongs to people is left as it is, where it is there already. */
export async function writeStarter(path: string, starter: StarterFile): Promise<FileState> {
  if (starter.path === '.gitignore') return addToIgnored(path)
  return starter.isComputed ? writeComputed(path, starter.text) : writeNew(path, starter.text)
}

async function writeComputed(path: string, text: string): Promise<FileState> {
  if ((await textOf(path)) === text) return 'kept'
  await writeFile(path, text)
  return 'wrote'
}

async function writeNew(path: string, text: string): Promise<FileState> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return 'wrote'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'kept'
    throw error
  }
}

async function addToIgnored(path: string): Promise<FileState> {
  const before = await textOf(path)
  // Git passes over a mark of the byte order.
  if (
    before
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .includes(ignoredByGit)
  )
    return 'kept'
  const separator = before === '' || before.endsWith('\n') ? '' : '\n'
  await writeFile(path, `${before}${separator}${ignoredByGit}\n`)
  return 'wrote'
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(error => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
}
