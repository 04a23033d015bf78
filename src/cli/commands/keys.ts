import { relative, resolve } from 'node:path'
import {
  LargeTypeError,
  madeOfKeys,
  payloadTypeOf,
  type TypedFile,
  type TypedFlag,
} from '../../code/typed-flag.ts'
import { goKeys, pythonKeys, typeScriptKeys } from '../../code/typed-languages.ts'
import { FileError, readTextFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { openOutFile } from '../host/out-file.ts'
import { readFlags, typedFlags } from './refs.ts'

/** `vexil keys --ts|--py|--go`: writes the keys, variants and payloads of declared flags as types. */
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
    throw new CommandError('the output would contain an API key; nothing was written')
  const path = resolve(host.directory, flags.out)
  const shown = relative(host.directory, path)
  const isSame = (await readKeys(path, shown)) === text
  if (flags.check) {
    host.stdout.write(
      isSame ? `${escapeText(shown)} is up to date\n` : `${escapeText(shown)} is out of date\n`,
    )
    return isSame ? exitCode.done : exitCode.changes
  }
  if (!isSame) {
    const place = await openOutFile(host, {
      name: flags.out,
      failing: 'the types cannot be written to',
      what: 'types that vexil keys made',
      isEarlier: earlier => earlier.trim() === '' || earlier.slice(0, 200).includes(madeOfKeys),
    })
    if ((place.failure ?? (await place.save(text))) !== undefined) return exitCode.error
  }
  host.stdout.write(`${isSame ? 'kept' : 'wrote'} ${escapeText(shown)}\n`)
  return exitCode.done
}

/** Names the flag in an error about its schema. */
function written(write: (flags: readonly TypedFlag[]) => TypedFile, flags: readonly TypedFlag[]): TypedFile {
  for (const flag of flags) {
    try {
      payloadTypeOf(flag)
    } catch (error) {
      if (!(error instanceof LargeTypeError)) throw error
      const words = `the payload_schema of flag "${escapeText(flag.key)}" cannot be written as types: ${error.message}; use each definition only where it is needed`
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
    throw new CommandError('choose one language: --ts, --py or --go', exitCode.usage)
  return language
}

function packageName(name = 'flags'): string {
  if (/^[a-z][a-z0-9_]*$/.test(name) && !goKeywords.has(name)) return name
  throw new CommandError(`"${escapeText(name)}" is not a package name`, exitCode.usage)
}

const goKeywords = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var'.split(
    ' ',
  ),
)

/** The current text of a file of typed keys, with Unix line ends; undefined if there is no file. */
async function readKeys(path: string, shown: string): Promise<string | undefined> {
  try {
    // git may have changed the line ends to those of Windows.
    return (await readTextFile(path, largestFile)).replaceAll('\r\n', '\n')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`"${escapeText(shown)}" ${error.message}`)
  }
}
