import { appendFile, lstat, open, readFile, stat, writeFile } from 'node:fs/promises'
import { codeOf } from '../../../model/files/error-code.ts'
import { FileError } from '../../../model/files/read-regular-file.ts'
import { isMarkedUtf16, textFrom } from '../../../model/files/read-text-file.ts'
import type { InitDocument } from '../../../report/document.ts'
import { ignoredByGit, type StarterFile } from '../../../yaml/write/init.ts'
import { CommandError } from '../../host/exit-code.ts'

/** What became of a file that a repository starts with. */
export type FileState = InitDocument['files'][number]['state']

/** What a file holds right before it is written; undefined where there is none. */
type OnWrite = (before: Buffer | undefined) => void

/**
 * Writes one file; one that belongs to people is left as it is, and not read, where it is there already.
 * @throws CommandError naming the file, where something else than a file is there or the system does not let it be written.
 */
export async function writeStarter(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const write = starter.path === '.gitignore' ? addToIgnored : starter.isComputed ? writeComputed : writeNew
  try {
    return await write(path, starter, onWrite)
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error && 'code' in error)) throw error
    throw new CommandError(`"${starter.path}" cannot be written (${codeOf(error, '')})`)
  }
}

async function writeComputed(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const before = await bytesOf(path, starter)
  if (before?.equals(Buffer.from(starter.text))) return 'kept'
  onWrite(before)
  await writeFile(path, starter.text)
  return 'wrote'
}

async function writeNew(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const file = await open(path, 'wx').catch(error => {
    if (codeOf(error, '') === 'EEXIST') return undefined
    throw error
  })
  if (!file) {
    await requireFile(path, starter)
    return 'kept'
  }
  try {
    onWrite(undefined)
    await file.writeFile(starter.text)
  } finally {
    await file.close()
  }
  return 'wrote'
}

/** What comes next could not read anything else. */
async function requireFile(path: string, starter: StarterFile): Promise<void> {
  await refuseDangling(path, starter)
  if ((await stat(path).catch(() => undefined))?.isDirectory())
    throw new CommandError(`"${starter.path}" is a folder`)
}

/** A link that leads nowhere would be written through, or be taken back with what was never written. */
async function refuseDangling(path: string, starter: StarterFile): Promise<void> {
  const isThere = (look: Promise<unknown>) =>
    look.then(
      () => true,
      error => codeOf(error, '') !== 'ENOENT',
    )
  if ((await isThere(lstat(path))) && !(await isThere(stat(path))))
    throw new CommandError(`"${starter.path}" is a link that leads nowhere`)
}

/** Only adds to it: what it holds may be in another encoding, and is nobody's to rewrite. */
async function addToIgnored(path: string, starter: StarterFile, onWrite: OnWrite): Promise<FileState> {
  const before = await bytesOf(path, starter)
  // Git passes over a mark of the byte order.
  if (before && linesIn(before).includes(ignoredByGit)) return 'kept'
  const isWhole = before === undefined || before.length === 0 || before.at(-1) === 0x0a
  onWrite(before)
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

async function bytesOf(path: string, starter: StarterFile): Promise<Buffer | undefined> {
  await refuseDangling(path, starter)
  return readFile(path).catch(error => {
    const code = codeOf(error, 'unknown reason')
    if (code === 'ENOENT') return undefined
    throw new CommandError(`"${starter.path}" cannot be read (${code})`)
  })
}
