import { join, resolve } from 'node:path'
import type { Exportable } from '../../core/live.ts'
import { declarableKinds } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { StateResource } from '../../stack/migrate/read-state.ts'
import { CommandError, type ExitCode, exitCode, ProblemsError } from '../host/exit-code.ts'
import type { ExportFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { addressesWithKey, type Held, withKeyText } from '../plan/key-in-values.ts'
import { openRepository, type WrittenRepository } from '../repository/repository.ts'
import {
  exportConfiguration,
  forgetNote,
  neededFor,
  objectsOf,
  readStateOf,
  type TakenOver,
  takeOver,
} from './export-configuration.ts'
import { type ExportedPlace, noteNameless } from './exported-place.ts'
import { chooseObjects, openSources, type ReadPlace, readingPlaces } from './read-places.ts'
import { type ExportFolder, exportText, writeExport } from './write-export.ts'

/**
 * `vexil export`: the live state as declarations that plan nothing; several environments become one
 * repository. In a folder that the repository reads, only undeclared objects are written, since a second
 * declaration would break the next plan. Any other folder, and standard output, get everything.
 */
export async function runExport(
  host: Host,
  addresses: readonly string[],
  given: Omit<ExportFlags, 'addresses'>,
): Promise<ExitCode> {
  const flags: ExportFlags = addresses.length > 0 ? { ...given, addresses } : given
  const state = await readStateFor(host, flags)
  const needed = state && neededFor(state)
  const kinds = chosenKinds(needed?.kinds ?? flags.kind)
  const { language = state ? 'hcl' : 'yaml' } = flags
  requireFiles({ ...flags, language })
  const own = await openSources(host, { ...flags, language })
  const [{ repository }] = own
  // Files of Terraform may name several projects; declarations in YAML name none.
  const others = language === 'yaml' || flags.project !== undefined ? [] : (needed?.projects ?? [])
  const sources: typeof own = [...own, ...others.map(project => ({ repository, project }))]
  const destination = language === 'yaml' ? await destinationOf(host, flags, repository) : undefined
  const withGrants = flags.grants === true && needed?.withGrants !== false
  return readingPlaces(host, sources, { flags, kinds, withGrants }, async read => {
    const { places: all, withKey } = chosenPlaces(host, read, flags)
    const projects = read.map(({ connection }) => connection.projectId)
    const there = all.map(({ live }, index) => ({ project: projects[index], live }))
    const folder = resolve(host.directory, flags.directory ?? '.')
    const takenOver = state && (await takeOver(state, there, { folder, language }))
    const places = takenOver ? takenOverPlace(all[0], takenOver) : all
    const exporting = { places, isRaw: flags.raw === true, split: flags.split ?? 'none' }
    const [{ live }] = places
    const [{ connection }] = read
    const written =
      language === 'yaml'
        ? destination && (await writeExport(host, destination, exporting))
        : await exportConfiguration(host, {
            ...{ objects: live, connection, language, directory: flags.directory },
            ...{ isSandbox: flags.sandbox === true, isRaw: flags.raw === true },
            ...{ takenOver, way: flags.moved ? 'moved' : 'import' },
          })
    const code = withKey.length === 0 ? exitCode.done : exitCode.refused
    await print(host, flags, {
      is: 'export',
      exitCode: code,
      objects: places.flatMap(({ environment, live }) =>
        live.map(object => (environment === undefined ? object : { environment, ...object })),
      ),
      get declarations() {
        return written ?? exportText(exporting)
      },
    })
    if (takenOver && language === 'yaml') noteTakenOver(host, takenOver)
    for (const place of takenOver ? [] : read) noteNameless(host, place)
    if (withKey.length > 0) host.log.warn(`left out: ${withKeyText(withKey)}`)
    return code
  })
}

async function readStateFor(
  host: Host,
  { fromState, moved, env = [] }: ExportFlags,
): Promise<readonly StateResource[] | undefined> {
  if (fromState === undefined) {
    if (moved) throw new CommandError('--moved needs --from-state', exitCode.usage)
    return undefined
  }
  if (new Set(env).size > 1)
    throw new CommandError('a state is of one environment; name that one with --env', exitCode.usage)
  return readStateOf(host, fromState)
}

function takenOverPlace(place: ExportedPlace, { carried }: TakenOver): readonly [ExportedPlace] {
  const live = objectsOf(carried)
  return [{ ...place, live, chosen: live }]
}

/** In the other languages these are notes of the configuration. */
function noteTakenOver(host: Host, { carried, notes }: TakenOver): void {
  for (const line of carried.length > 0 ? [...notes, forgetNote(carried)] : notes)
    host.log.warn(escapeText(line))
}

/** One text cannot be split, and Terraform has its own files. */
function requireFiles({ split = 'none', directory, language = 'yaml' }: ExportFlags): void {
  if (split === 'none') return
  if (directory === undefined)
    throw new CommandError(`--split ${split} writes several files; say where with -d`, exitCode.usage)
  if (language !== 'yaml')
    throw new CommandError(
      `--split ${split} is for YAML, and cannot be used with --format ${language}`,
      exitCode.usage,
    )
}

interface ChosenPlaces {
  readonly places: readonly [ExportedPlace, ...ExportedPlace[]]
  /** The addresses of objects that hold a key, and are not exported. */
  readonly withKey: readonly string[]
}

/** The exported objects of each place. A key of one place is hidden in all. */
function chosenPlaces(
  host: Host,
  read: readonly [ReadPlace, ...ReadPlace[]],
  flags: ExportFlags,
): ChosenPlaces {
  const live = read.flatMap(({ objects }) => objects)
  const isChosen = chooseObjects(live, flags)
  const chosen = live.filter(isChosen)
  const withKey = new Set(addressesWithKey(host, chosen.map(heldBy)))
  const toPlace = ({ repository, environment, objects }: ReadPlace): ExportedPlace => {
    const ofPlace = objects.filter(isChosen)
    return {
      repository,
      ...(environment === undefined ? {} : { environment }),
      live: ofPlace.filter(object => !withKey.has(addressOf(object))),
      chosen: ofPlace,
      all: objects,
    }
  }
  const [first, ...others] = read
  return { places: [toPlace(first), ...others.map(toPlace)], withKey: [...withKey] }
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
  const files = declarableKinds.map(({ section }) => join(folder, `${section}.yaml`))
  const isRead = (await Promise.all(files.map(file => repository.reads(file)))).includes(true)
  if (isRead && repository.hasErrors) await explainProblems(host, flags)
  return { isRead, folder }
}

/** Shows problems that did not matter before, and ends the command with the step that they prevent. */
async function explainProblems(host: Host, flags: ExportFlags): Promise<void> {
  const { env: [environment] = [], ...others } = flags
  await openRepository(host, { ...others, env: environment }).catch(error => {
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
