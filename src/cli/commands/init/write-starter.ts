import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { codeOf } from '../../../model/error-code.ts'
import { FileError } from '../../../model/files/read-regular-file.ts'
import { isMarkedUtf16, textFrom } from '../../../model/files/read-text-file.ts'
import type { InitDocument } from '../../../report/document.ts'
import { ignoredByGit, type StarterFile } from '../../../yaml/write/init.ts'
import { CommandError } from '../../host/exit-code.ts'

/** What became of a file that a repository starts with. */
export type FileState = InitDocument['files'][number]['state']

/** Writes one file; one that belongs to people is left as it is, where it is there already. */
export async function writeStarter(path: string, starter: StarterFile): Promise<FileState> {
  if (starter.path === '.gitignore') return addToIgnored(path)
  return starter.isComputed ? writeComputed(path, starter.text) : writeNew(path, starter.text)
}

async function writeComputed(path: string, text: string): Promise<FileState> {
  if ((await bytesOf(path)).equals(Buffer.from(text))) return 'kept'
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

/** Only adds to it: what it holds may be in another encoding, and is nobody's to rewrite. */
async function addToIgnored(path: string): Promise<FileState> {
  const before = await bytesOf(path)
  // Git passes over a mark of the byte order.
  if (linesIn(before).includes(ignoredByGit)) return 'kept'
  const isWhole = before.length === 0 || before.at(-1) === 0x0a
  await appendFile(path, `${isWhole ? '' : '\n'}${ignoredByGit}\n`)
  return 'wrote'
}

function linesIn(bytes: Buffer): readonly string[] {
  try {
    return textFrom(bytes).split(/\r?\n/)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // Git would read two encodings in one file, and neither rightly.
    if (isMarkedUtf16(bytes)) throw new CommandError(`".gitignore" ${error.message}`)
    return bytes.toString('latin1').split(/\r?\n/)
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  return readFile(path).catch(error => {
    if (codeOf(error, '') === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
}
