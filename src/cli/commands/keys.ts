import { rename, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { goKeys } from '../../code/typed/go.ts'
import { madeOfKeys, type TypedFile, type TypedFlag } from '../../code/typed/language.ts'
import { LargeTypeError, payloadTypeOf } from '../../code/typed/payload-type.ts'
import { pythonKeys } from '../../code/typed/python.ts'
import { typeScriptKeys } from '../../code/typed/typescript.ts'
import { codeOf, FileError, makeFolder, readTextFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { readFlags, typedFlags } from './refs.ts'

/** `vexil keys --ts|--py|--go`: the keys, variants and payloads of declared flags as types of a language. */
export async function runKeys(host: Host, flags: Flags): Promise<ExitCode> {
  const write = languageOf(flags)
  if (flags.check && flags.out === undefined)
    throw new CommandError('--check compares a file: name it with --out', exitCode.usage)
  const { flags: declared } = await readFlags(host, flags)
  const { text, notes } = written(write, typedFlags(declared))
  for (const note of notes) host.log.warn(escapeText(note))
  if (flags.out === undefined) {
    host.stdout.write(text, 'data')
    return exitCode.done
  }
  if (host.secrets.isIn(text))
    throw new CommandError('a key is among what would be written; nothing was written')
  const path = resolve(host.directory, flags.out)
  const shown = relative(host.directory, path)
  const before = await readKeys(path, shown)
  const isSame = before === text
  if (flags.check) {
    host.stdout.write(
      isSame
        ? `${escapeText(shown)} is as it is to be\n`
        : `${escapeText(shown)} is not what the declarations come to\n`,
    )
    return isSame ? exitCode.done : exitCode.changes
  }
  if (!isSame) await writeKeys(path, { shown, text, before, uniqueId: host.runtime.uniqueId() })
  host.stdout.write(`${isSame ? 'kept' : 'wrote'} ${escapeText(shown)}\n`)
  return exitCode.done
}

/** If no types can be written for a schema, the error names its flag: people look for flags. */
function written(write: (flags: readonly TypedFlag[]) => TypedFile, flags: readonly TypedFlag[]): TypedFile {
  for (const flag of flags) {
    try {
      payloadTypeOf(flag)
    } catch (error) {
      if (!(error instanceof LargeTypeError)) throw error
      const words = `no types can be written of the payload_schema of flag "${escapeText(flag.key)}": ${error.message}; refer to each definition where it is needed alone`
      throw new CommandError(words)
    }
  }
  return write(flags)
}

function languageOf({ ts, py, go, package: named }: Flags): (flags: readonly TypedFlag[]) => TypedFile {
  const name = packageName(named)
  if (named !== undefined && !go) throw new CommandError('--package is for --go', exitCode.usage)
  const languages = [
    ...(ts ? [typeScriptKeys] : []),
    ...(py ? [pythonKeys] : []),
    ...(go ? [(flags: readonly TypedFlag[]) => goKeys(flags, name)] : []),
  ]
  const [language, ...others] = languages
  if (!language || others.length > 0)
    throw new CommandError('say one language: --ts, --py or --go', exitCode.usage)
  return language
}

function packageName(name = 'flags'): string {
  if (/^[a-z][a-z0-9_]*$/.test(name) && !goKeywords.has(name)) return name
  throw new CommandError(`"${escapeText(name)}" is no name of a package`, exitCode.usage)
}

const goKeywords = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var'.split(
    ' ',
  ),
)

/** The present text of a file of typed keys, with the line ends of Unix; undefined if there is no file. */
export async function readKeys(path: string, shown: string): Promise<string | undefined> {
  try {
    // git may have changed the line ends to those of Windows.
    return (await readTextFile(path, largestFile)).replaceAll('\r\n', '\n')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`"${escapeText(shown)}" ${error.message}`)
  }
}

/** Writes typed keys: a new file, or over an empty file or earlier keys. What a person wrote is kept. */
export async function writeKeys(
  path: string,
  { shown, before, text, uniqueId }: Record<'shown' | 'text' | 'uniqueId', string> & { before?: string },
): Promise<void> {
  if (before !== undefined && before.trim() !== '' && !before.slice(0, 200).includes(madeOfKeys))
    throw new CommandError(
      `"${escapeText(shown)}" was not made by vexil keys, and is left as it is; name another file`,
    )
  const draft = join(dirname(path), `.${basename(path)}.${uniqueId}.unfinished`)
  try {
    await makeFolder(dirname(path))
    await writeFile(draft, text, { flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw new CommandError(`"${escapeText(shown)}" cannot be written (${codeOf(error, 'unknown reason')})`)
  }
}
