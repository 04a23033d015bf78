import { join, relative, resolve } from 'node:path'
import { unifiedDiff } from '../../model/text/line-diff.ts'
import type { EditDocument } from '../../report/document.ts'
import { readDeclared } from '../../yaml/index.ts'
import type { EditedFile } from '../../yaml/write/edit-declarations.ts'
import { formatText } from '../../yaml/write/format-text.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode, ProblemsError } from '../host/exit-code.ts'
import { type Host, readInput } from '../host/host.ts'
import { isForPeople, print } from '../host/output.ts'
import { locateProblems, refuseProblems } from '../repository/problems.ts'
import { learnSecrets } from '../repository/repository.ts'
import { placeFiles, shownFiles } from './write-edit.ts'

/**
 * `vexil fmt [FILE...]`: sorts members and indents blocks of declarations. `-` reads standard input and
 * writes standard output. `--check` writes nothing, and ends in 2 if a file would change.
 */
export async function runFormat(host: Host, named: readonly string[], flags: Flags): Promise<ExitCode> {
  if (named.includes('-')) return formatInput(host, named, flags)
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const files = await declarationFiles(host, directory, named)
  const edited = files.map(
    ({ file, before }): EditedFile => ({ file, before, after: textOf(host, { file, before, directory }) }),
  )
  const changed = edited.filter(({ before, after }) => before !== after)
  const isCheck = flags.check === true
  if (!isCheck) await placeFiles(directory, changed)
  const code = isCheck && changed.length > 0 ? exitCode.changes : exitCode.done
  await print(host, flags, documentOf(shownFiles(host, directory, changed), { code, isCheck }))
  return code
}

async function formatInput(host: Host, named: readonly string[], flags: Flags): Promise<ExitCode> {
  if (named.length > 1)
    throw new CommandError('"-" means standard input and cannot be combined with files', exitCode.usage)
  const before = await readInput(host)
  const after = textOf(host, { file: '-', before, directory: host.directory })
  const isCheck = flags.check === true
  const code = isCheck && before !== after ? exitCode.changes : exitCode.done
  if (isForPeople(flags) && !isCheck) {
    host.stdout.write(after, 'data')
    return code
  }
  const files = before === after ? [] : [{ path: '-', diff: unifiedDiff('-', before, after) }]
  await print(host, flags, documentOf(files, { code, isCheck: true }))
  return code
}

function documentOf(
  files: EditDocument['files'],
  { code, isCheck }: { readonly code: ExitCode; readonly isCheck: boolean },
): EditDocument {
  return { is: 'edit', exitCode: code, isDryRun: isCheck, files, objects: [], notes: [] }
}

interface DeclarationText {
  readonly file: string
  readonly before: string
}

/** The declaration files of a repository, or the named ones. */
async function declarationFiles(
  host: Host,
  directory: string,
  named: readonly string[],
): Promise<readonly DeclarationText[]> {
  const repository = await readDeclared({ directory, env: host.env })
  await learnSecrets(host, repository)
  const { files, texts, problems, settingsFile } = repository
  // An unreadable folder or file would be skipped silently, so it is an error.
  const unread = problems.filter(({ code, source }) => unreadable.has(code) && !texts.has(source?.file ?? ''))
  refuseProblems(host, unread, { directory, texts })
  const all = files.filter(file => file !== settingsFile)
  const wanted = new Set(named.map(file => relative(directory, resolve(host.directory, file))))
  const unknown = [...wanted].find(file => !all.includes(file))
  if (unknown !== undefined)
    throw new CommandError(
      `"${relative(host.directory, join(directory, unknown))}" is not a declaration file of this repository`,
      exitCode.usage,
    )
  return all
    .filter(file => wanted.size === 0 || wanted.has(file))
    .map(file => ({ file, before: texts.get(file) ?? '' }))
}

const unreadable: ReadonlySet<string> = new Set([
  'unreadable-folder',
  'unreadable-file',
  'not-utf8',
  'file-too-large',
])

function textOf(
  host: Host,
  { file, before, directory }: DeclarationText & { readonly directory: string },
): string {
  const formatted = formatText(file, before)
  if ('text' in formatted) return formatted.text
  const problems = [formatted.problem]
  const shown = locateProblems(host, problems, { directory, texts: new Map([[file, before]]) })
  throw new ProblemsError('nothing was written', problems, shown)
}
