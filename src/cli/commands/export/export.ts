import { join, resolve } from 'node:path'
import type { Exportable } from '../../../core/exportable.ts'
import { ownersInTags } from '../../../core/owners.ts'
import { readAll } from '../../../core/read/read-all.ts'
import { declarableKind, declarableKinds } from '../../../kinds/index.ts'
import type { DeclarableKind } from '../../../model/kind.ts'
import { meantHint } from '../../../model/text/did-you-mean.ts'
import { fileName } from '../../../yaml/write/export.ts'
import { addressesWithKey, type Held, withKeyText } from '../../apply/key-in-values.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import { openSession, type SessionFlags } from '../../connection/session.ts'
import { CommandError, type ExitCode, exitCode, ProblemsError } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type OutputFlags, print } from '../../host/output.ts'
import { withProgress } from '../../host/progress.ts'
import { type Choice, requireOwners } from '../../plan/target-filter.ts'
import { openRepository, openWritten, type WrittenRepository } from '../../repository/repository.ts'
import { exportConfiguration } from './configuration/export-configuration.ts'
import type { ExportLanguage } from './export-language.ts'
import { type ExportFolder, exportText, noteNameless, writeExport } from './write-export.ts'

export interface ExportFlags extends RepositoryFlags, SessionFlags, OutputFlags, Pick<Choice, 'owner'> {
  readonly directory?: string
  readonly kind?: readonly string[]
  readonly grants: boolean
  readonly raw?: boolean
  readonly language?: ExportLanguage
}

/**
 * `vexil export`: the live state as declarations that plan nothing. Into a folder that the repository reads goes what
 * is not declared yet, since declaring it twice would break the next plan; anywhere else, and to standard output,
 * everything.
 */
export async function runExport(host: Host, flags: ExportFlags): Promise<ExitCode> {
  const kinds = chosenKinds(flags.kind)
  const repository = await openWritten(host, flags)
  const { language = 'yaml' } = flags
  const destination = language === 'yaml' ? await destinationOf(host, flags, repository) : undefined
  const session = await openSession(host, flags, repository, { readOnly: true })
  try {
    const {
      objects: live,
      nameless,
      inventory,
    } = await withProgress(host, 'reading the live service', () =>
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
    const objects = onlyOf(live, flags.owner)
    const withKey = new Set(addressesWithKey(host, objects.map(heldBy)))
    const shown = objects.filter(object => !withKey.has(addressOf(object)))
    const exporting = { live: shown, all: objects, isRaw: flags.raw === true }
    const written =
      language === 'yaml'
        ? destination && (await writeExport(host, repository, destination, exporting))
        : await exportConfiguration(host, {
            ...{ objects: shown, connection: session.connection, language, directory: flags.directory },
            ...{ isSandbox: flags.sandbox === true, isRaw: flags.raw === true },
          })
    const code = withKey.size === 0 ? exitCode.done : exitCode.refused
    await print(host, flags, {
      is: 'export',
      exitCode: code,
      objects: shown,
      get declarations() {
        return written ?? exportText(repository, exporting)
      },
    })
    noteNameless(host, nameless)
    if (withKey.size > 0) host.stderr.write(`left out: ${withKeyText([...withKey])}\n`)
    return code
  } finally {
    await session.close()
  }
}

/** Whose objects they are, their tags say in the service. */
function onlyOf(objects: readonly Exportable[], owners: Choice['owner']): readonly Exportable[] {
  if (owners === undefined) return objects
  const ownersIn = ({ kind, fields }: Exportable) => ownersInTags(declarableKind(kind), fields)
  requireOwners(owners, objects.flatMap(ownersIn), 'owns nothing that is live')
  return objects.filter(object => ownersIn(object).some(owner => owners.includes(owner)))
}

function heldBy(object: Exportable): Held {
  const { fields, grants = [], files = {} } = object
  return {
    address: addressOf(object),
    values: { fields, grants: grants.map(grant => ({ ...grant })), files },
  }
}

function addressOf({ kind, identity, id }: Exportable): string {
  return `${kind}.${identity} (${id})`
}

async function destinationOf(
  host: Host,
  flags: ExportFlags,
  repository: WrittenRepository,
): Promise<ExportFolder | undefined> {
  if (flags.directory === undefined) return undefined
  const folder = resolve(host.directory, flags.directory)
  const files = declarableKinds.map(({ section }) => join(folder, fileName(section)))
  const isRead = (await Promise.all(files.map(file => repository.reads(file)))).includes(true)
  if (isRead && repository.hasErrors) await explainProblems(host, flags)
  return { isRead, folder }
}

/** Shows the problems that were no obstacle before, and ends the command with what they are an obstacle to. */
async function explainProblems(host: Host, flags: ExportFlags): Promise<void> {
  await openRepository(host, flags).catch(error => {
    if (!(error instanceof CommandError)) throw error
    const message = `${error.message}: nobody can tell what is declared already; mend that, or export into a folder that this repository does not read`
    if (!(error instanceof ProblemsError)) throw new CommandError(message)
    throw new ProblemsError(message, error.problems, error.shown)
  })
}

function chosenKinds(names: readonly string[] | undefined): readonly DeclarableKind[] {
  const whole = declarableKinds.filter(({ lifecycle }) => !lifecycle.parent)
  if (names === undefined) return whole
  return names.map(name => {
    const kind = whole.find(candidate => candidate.name === name)
    if (kind) return kind
    const known = whole.map(candidate => candidate.name)
    const hint = meantHint(name, known, `take ${known.join(', ')}`)
    throw new CommandError(`"${name}" cannot be exported; ${hint}`, exitCode.usage)
  })
}
