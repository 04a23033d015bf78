import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readAll, type Standing } from '../../core/read-all.ts'
import { type ExportedObject, exportYaml } from '../../declare/index.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { counted } from '../../report/names.ts'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { startProgress } from '../progress.ts'
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
  const progress = startProgress(host, true)
  progress.update('reading the live service')
  try {
    const { objects, inventory } = await readAll({
      client: session.client,
      kinds,
      withGrants: flags.grants,
      parallelism: session.connection.parallelism,
    })
    progress.stop()
    for (const [kind, { complete }] of Object.entries(inventory)) {
      if (!complete)
        throw new CommandError(`the list of ${kind} was not read whole; it changed meanwhile; try again`)
    }
    if (flags.json) {
      host.stdout.write(`${JSON.stringify(objects, null, 2)}\n`)
      return exitCode.done
    }
    const names = new Map(Object.entries(repository.roles).map(([name, id]) => [id.toLowerCase(), name]))
    const files = exportYaml(objects.map(object => toExported(object, names)))
    if (flags.directory === undefined) {
      // Source files of plugins have no place in one stream; the YAML names them.
      const [first, ...rest] = files.filter(({ path }) => path.endsWith('.yaml'))
      host.stdout.write([first?.text ?? '', ...rest.map(({ text }) => withoutComment(text))].join(''))
    } else {
      await writeAll(host, resolve(host.directory, flags.directory), files)
    }
    return exitCode.done
  } finally {
    progress.stop()
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

function withoutComment(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

async function writeAll(
  host: Host,
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const { path, text } of files) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    // What is there may be somebody's work: an export never overwrites.
    await writeFile(target, text, { flag: 'wx' }).catch(error => {
      throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
        ? new CommandError(`"${target}" is there already; export into an empty folder`)
        : error
    })
    host.stdout.write(`wrote ${target}\n`)
  }
  host.stderr.write(
    `${counted(files.length, 'file')} written; copy them into your repository and run vexil plan\n`,
  )
}
