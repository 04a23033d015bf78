import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readAll, type Standing } from '../../core/read-all.ts'
import { type ExportedObject, exportYaml, type TextFile } from '../../declare/index.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { escapeLines, escapeText } from '../../report/escape.ts'
import { jsonText } from '../../report/json-text.ts'
import { counted } from '../../report/names.ts'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { withProgress } from '../progress.ts'
import { openRepository, type RepositoryFlags } from '../repository.ts'
import { openSession, type SessionFlags } from '../session.ts'

export interface ExportFlags extends RepositoryFlags, SessionFlags {
  readonly directory?: string
  readonly kind?: readonly string[]
  readonly grants: boolean
  readonly json?: boolean
}

/** `vexil export`: the live state as declarations that plan nothing. */
export async function runExport(host: Host, flags: ExportFlags): Promise<ExitCode> {
  const kinds = chosenKinds(flags.kind)
  const repository = await openRepository(host, flags, { needsDeclarations: false })
  const session = await openSession(host, flags, repository, { readOnly: true })
  try {
    const { objects, inventory } = await withProgress(host, 'reading the live service', () =>
      readAll({
        client: session.client,
        kinds,
        withGrants: flags.grants,
        parallelism: session.connection.parallelism,
      }),
    )
    for (const [kind, { complete }] of Object.entries(inventory)) {
      if (!complete)
        throw new CommandError(`the list of ${kind} was not read whole; it changed meanwhile; try again`)
    }
    if (flags.json) {
      host.stdout.write(`${jsonText(objects, 2)}\n`)
      return exitCode.done
    }
    const names = new Map(Object.entries(repository.roles).map(([name, id]) => [id.toLowerCase(), name]))
    const isOneText = flags.directory === undefined
    const files = exportYaml(
      objects.map(object => toExported(object, names)),
      { isOneText },
    )
    if (flags.directory === undefined) writeStream(host, files)
    else await writeAll(host, resolve(host.directory, flags.directory), files)
    return exitCode.done
  } finally {
    await session.close()
  }
}

function chosenKinds(names: readonly string[] | undefined): readonly DeclarableKind[] {
  const whole = declarableKinds.filter(({ lifecycle }) => !lifecycle.parent)
  if (names === undefined) return whole
  return names.map(name => {
    const kind = whole.find(candidate => candidate.name === name)
    if (kind) return kind
    const known = whole.map(candidate => candidate.name)
    const near = didYouMean(name, known)
    const hint = near ? `did you mean "${near}"?` : `take ${known.join(', ')}`
    throw new CommandError(`"${name}" cannot be exported; ${hint}`, exitCode.usage)
  })
}

/** Roles are written by the name that the settings give them; the others by their UUID, which is always right. */
function toExported({ grants, ...object }: Standing, names: ReadonlyMap<string, string>): ExportedObject {
  return {
    ...object,
    ...(grants ? { grants: grants.map(({ id }) => names.get(id.toLowerCase()) ?? id) } : {}),
  }
}

/** Everything as one document. Source files of plugins have no place in it; the YAML names them. */
function writeStream(host: Host, files: readonly TextFile[]): void {
  const [first, ...rest] = files
  const text = [first?.text ?? '', ...rest.map(file => withoutComment(file.text))].join('')
  // A file gets the text as it is; on a terminal nothing may move the cursor.
  host.stdout.write(host.stdout.isTerminal ? escapeLines(text) : text)
}

function withoutComment(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

/** Writes all files or none: what is there already may be somebody's work, and is never overwritten. */
async function writeAll(host: Host, folder: string, files: readonly TextFile[]): Promise<void> {
  const paths = files.map(({ path }) => join(folder, path))
  const taken = await Promise.all(paths.map(isThere))
  const first = paths.find((_, index) => taken[index])
  if (first !== undefined) throw new CommandError(`"${first}" is there already; export into an empty folder`)
  for (const [index, path] of paths.entries()) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, files[index]?.text ?? '', { flag: 'wx' })
    host.stdout.write(`wrote ${escapeText(path)}\n`)
  }
  host.stderr.write(
    `${counted(files.length, 'file')} written; copy them into your repository and run vexil plan\n`,
  )
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
