import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Exportable } from '../../core/live.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { defaultProfile } from '../../model/connection.ts'
import { readRegularFile } from '../../model/files.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { largestFile, largestSaved } from '../../model/limits.ts'
import { compareTexts, meantHint } from '../../model/text/names.ts'
import { escapeText, shellWord } from '../../model/text/printable.ts'
import type { ExportDocument } from '../../report/document.ts'
import { counted } from '../../report/line-text.ts'
import { providerName } from '../../schema/terraform/terraform-names.ts'
import {
  type Carried,
  CarriedNames,
  type CarriedResource,
  type CarryingWay,
  carriedConfiguration,
  carryOver,
  isMoved,
  type LiveProject,
  takeOverBlocks,
} from '../../stack/migrate/carry-over.ts'
import { constructsProgram, hasOtherWords, stackName } from '../../stack/migrate/constructs-program.ts'
import {
  type ConfigurationFile,
  hclConfiguration,
  type ProviderPlace,
} from '../../stack/migrate/hcl-configuration.ts'
import {
  grantsOf,
  ignoredHere,
  inProject,
  type Lifecycle,
  type LiveResource,
  liveResources,
  type Naming,
  ResourceNames,
  readLifecycles,
  withLifecycle,
} from '../../stack/migrate/live-resource.ts'
import {
  configured,
  counterpartOf,
  projectOf,
  readState,
  type StateResource,
} from '../../stack/migrate/read-state.ts'
import { asDeclared } from '../../yaml/write/declaration-of.ts'
import type { ExportFlags, ExportLanguage, SeveralFlags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode, ProblemsError } from '../host/exit-code.ts'
import { type Host, readInput, readNamedFile } from '../host/host.ts'
import { print } from '../host/output.ts'
import { addressesWithKey, type Held, withKeyText } from '../plan/run-record.ts'
import { namesFor } from '../repository/choose-environments.ts'
import type { Connection } from '../repository/connection.ts'
import { openRepository, type WrittenRepository } from '../repository/repository.ts'
import {
  chooseObjects,
  type ExportedPlace,
  namedWithId,
  noteNameless,
  openSources,
  type ReadPlace,
  readingPlaces,
} from './read-places.ts'
import { placeFiles } from './write-edit.ts'
import { type ExportFolder, exportText, writeExport } from './write-export.ts'

/**
 * `vexil export`: writes live objects as declarations, also of several environments. A plan of the result has
 * no changes. In a folder that the repository reads, only undeclared objects are written, since a second
 * declaration would be an error. Other folders and standard output get all objects.
 */
export async function runExport(
  host: Host,
  addresses: readonly string[],
  given: SeveralFlags,
): Promise<ExitCode> {
  const env = await namesFor(host, given)
  if (env.length === 0 && given.shard !== undefined) return printNothing(host, given)
  const flags: ExportFlags = { ...given, env, ...(addresses.length > 0 && { addresses }) }
  const state = await readStateFor(host, flags)
  const needed = state && neededFor(state)
  const kinds = chosenKinds(needed?.kinds ?? flags.kind)
  const { language = state ? 'hcl' : 'yaml' } = flags
  requireFiles({ ...flags, language })
  const own = await openSources(host, { ...flags, language })
  const [{ repository }] = own
  // A Terraform configuration may contain several projects; YAML declarations contain none.
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
    if (withKey.length > 0) host.log.warn(`not exported: ${withKeyText(withKey)}`)
    return code
  })
}

/** The result for a shard without environments. */
async function printNothing(host: Host, { format }: SeveralFlags): Promise<ExitCode> {
  const declarations = { written: [], notes: [] }
  await print(host, { format }, { is: 'export', exitCode: exitCode.done, objects: [], declarations })
  return exitCode.done
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
    throw new CommandError('a state belongs to one environment; choose it with --env', exitCode.usage)
  return readStateOf(host, fromState)
}

function takenOverPlace(place: ExportedPlace, { carried }: TakenOver): readonly [ExportedPlace] {
  const live = objectsOf(carried)
  return [{ ...place, live, chosen: live }]
}

/** Prints the notes of a YAML export. For other languages they are part of the configuration. */
function noteTakenOver(host: Host, { carried, notes }: TakenOver): void {
  for (const line of carried.length > 0 ? [...notes, forgetNote(carried)] : notes)
    host.log.warn(escapeText(line))
}

/** Refuses `--split` without a folder or for other languages. */
function requireFiles({ split = 'none', directory, language = 'yaml' }: ExportFlags): void {
  if (split === 'none') return
  if (directory === undefined)
    throw new CommandError(
      `--split ${split} writes several files; choose their folder with -d`,
      exitCode.usage,
    )
  if (language !== 'yaml')
    throw new CommandError(
      `--split ${split} is for YAML, and cannot be used with --format ${language}`,
      exitCode.usage,
    )
}

interface ChosenPlaces {
  readonly places: readonly [ExportedPlace, ...ExportedPlace[]]
  /** The addresses of objects that contain a key, and are not exported. */
  readonly withKey: readonly string[]
}

/** The exported objects of each place. Objects that contain the key of any place are excluded. */
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

/** Shows the errors of the repository, and throws an error with the remedy. */
async function explainProblems(host: Host, flags: ExportFlags): Promise<void> {
  const { env: [environment] = [], ...others } = flags
  await openRepository(host, { ...others, env: environment }).catch(error => {
    if (!(error instanceof CommandError)) throw error
    const message = `${error.message}, so Vexil cannot check what is already declared; fix the errors, or export into a folder that this repository does not read`
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

export interface ConfigurationExport {
  readonly objects: readonly Exportable[]
  readonly connection: Connection
  readonly language: Exclude<ExportLanguage, 'yaml'>
  /** Whether the service is an embedded sandbox. Its address changes at each start. */
  readonly isSandbox: boolean
  /** The form of the service instead of the typed form. */
  readonly isRaw: boolean
  /** The objects to take over from a state, instead of all objects. */
  readonly takenOver?: TakenOver
  readonly way?: CarryingWay
  /** The folder for the files; if undefined, they go to standard output as one text. */
  readonly directory?: string
}

/** Writes live objects as a Terraform configuration. It imports them and plans nothing else. */
export async function exportConfiguration(
  host: Host,
  exporting: ConfigurationExport,
): Promise<ExportDocument['declarations']> {
  const { directory } = exporting
  const { files, next, notes } = exporting.takenOver
    ? await takenOverFiles(host, exporting, exporting.takenOver)
    : liveFiles(exporting)
  if (directory === undefined) return { yaml: files.map(({ text }) => text).join('\n'), written: [], notes }
  const folder = resolve(host.directory, directory)
  const count = `${counted(files.length, 'file')} written; ${next}`
  const placed = files.map(({ path, text }) => ({ file: join(folder, path), after: text }))
  await placeFiles(folder, placed, host.runtime.uniqueId())
  return { written: placed.map(({ file }) => file), notes: [count, ...notes] }
}

interface Configuration {
  readonly files: readonly ConfigurationFile[]
  readonly next: string
  readonly notes: readonly string[]
}

function liveFiles({ objects, connection, language, isSandbox, isRaw }: ConfigurationExport): Configuration {
  const isProgram = language === 'ts'
  const isRawHere = (object: Exportable) => isRaw || (isProgram && hasOtherWords(object))
  const { resources, notes } = resourcesOf(objects, new ResourceNames(), isRawHere)
  const place = placeOf(connection, isSandbox)
  if (isProgram) return { files: constructsProgram(resources, place), next: nextOfProgram, notes }
  return {
    files: hclConfiguration(resources, place),
    next: 'run terraform init and terraform plan there, and remove imports.tf after the apply',
    notes,
  }
}

const nextOfProgram = `run vexil plan --app "npx tsx main.ts" --stack ${stackName}, or synthesize it for Terraform`

async function takenOverFiles(
  host: Host,
  { connection, language, isSandbox, isRaw, directory, way = 'import' }: ConfigurationExport,
  { carried, notes: before }: TakenOver,
): Promise<Configuration> {
  const names = new CarriedNames(carried)
  const isRawHere = (object: Exportable) =>
    isRaw ||
    (language === 'ts' && hasOtherWords(object)) ||
    carried.some(each => !each.grant && isSameObject(each.object, object) && isRawIn(each, way))
  const { resources, notes } = resourcesOf(objectsOf(carried), names, isRawHere)
  const loose = looseGrants(carried).flatMap(({ object }) => grantsOf(object, names))
  const all = [...resources, ...loose].flatMap((resource): CarriedResource[] => {
    const from = carried.find(each => isResourceOf(each, resource))
    return from
      ? [{ carried: from, resource: withLifecycle(inProject(resource, from.project), from.lifecycle) }]
      : []
  })
  if (language === 'ts') {
    const blocks = takeOverBlocks(all, way).filter(({ type }) => type !== 'import')
    const moved = all.filter(each => isMoved(each.carried, way)).map(({ resource }) => resource)
    const own = all.map(({ resource }) => ({ ...resource, isMoved: moved.includes(resource) }))
    const files = constructsProgram(own, placeOf(connection, isSandbox), blocks)
    return { files, next: nextOfProgram, notes: [...before, ...notes] }
  }
  const requiring = directory === undefined ? undefined : await requiringFile(host, directory)
  const place = placeOf(connection, isSandbox)
  return {
    files: carriedConfiguration(all, place, { way, isRequired: requiring === undefined }),
    next: `remove the ${counted(all.length, 'resource')} that ${all.length === 1 ? 'is' : 'are'} taken over from the configuration, run terraform init and terraform plan, and remove vexil_imports.tf after the apply`,
    notes: [...(requiring === undefined ? [] : [requireNote(requiring)]), ...before, ...notes],
  }
}

/** Whether filters are written as one attribute: if they are moved with a state, or ignored. */
function isRawIn(each: Carried, way: CarryingWay): boolean {
  return isMoved(each, way) || (each.lifecycle?.ignored.length ?? 0) > 0
}

function isResourceOf(
  { kind, object, grant }: Carried,
  { kind: own, object: live, grant: given }: LiveResource,
) {
  return kind === own && isSameObject(object, live) && grant?.id === given?.id
}

function resourcesOf(
  objects: readonly Exportable[],
  names: Naming,
  isRaw: (object: Exportable) => boolean,
): { readonly resources: readonly LiveResource[]; readonly notes: readonly string[] } {
  const resources: LiveResource[] = []
  const notes: string[] = []
  for (const object of inOrder(objects)) {
    const { grants: _, ...own } = object
    const declared = asDeclared(own)
    const made =
      'reason' in declared ? declared : liveResources({ object, ...declared, isRaw: isRaw(object) }, names)
    if ('reason' in made) {
      notes.push(`not exported: ${namedWithId(object)}: ${made.reason}`)
      continue
    }
    resources.push(...made)
    const left = made.flatMap(({ ignored, unnamed }) => [...ignored, ...unnamed])
    if (left.length > 0)
      notes.push(
        `left to the service, since a configuration cannot contain these live values: ${namedWithId(object)}: ${left.join(', ')}`,
      )
  }
  return { resources, notes }
}

/** Sorted by kind and name, so that equal states give equal texts. */
function inOrder(objects: readonly Exportable[]): Exportable[] {
  return declarableKinds.flatMap(({ name }) =>
    objects
      .filter(({ kind }) => kind === name)
      .sort(
        (left, right) =>
          compareTexts(left.identity, right.identity) ||
          left.id.length - right.id.length ||
          compareTexts(left.id, right.id),
      ),
  )
}

/** The place for the provider configuration, without the key. */
function placeOf(
  { baseUrl, projectId, organizationId, profile }: Connection,
  isSandbox: boolean,
): ProviderPlace {
  return {
    ...(isSandbox ? {} : { baseUrl }),
    projectId,
    organizationId,
    ...(profile === defaultProfile ? {} : { profile }),
  }
}

/** The resources in a state file; `-` means standard input. */
export async function readStateOf(host: Host, file: string): Promise<readonly StateResource[]> {
  const what = file === '-' ? 'the input' : `the state "${escapeText(file)}"`
  const text = file === '-' ? await readInput(host) : await readNamedFile(host, what, file, largestSaved)
  const resources = readState(text)
  if ('problem' in resources)
    throw new CommandError(
      `${what} cannot be read: ${resources.problem}; give terraform.tfstate, or - and the output of \`terraform state pull\` or \`terraform show -json\``,
    )
  if (resources.every(resource => counterpartOf(resource) === undefined))
    throw new CommandError(`${what} has no resource of the provider posthog/posthog`)
  return resources
}

/** The kinds, projects and grants to read from the live service for a state. */
export function neededFor(resources: readonly StateResource[]): {
  readonly kinds: readonly string[]
  readonly projects: readonly string[]
  readonly withGrants: boolean
} {
  const counterparts = resources.flatMap(resource => counterpartOf(resource) ?? [])
  const kinds = counterparts.flatMap(each => {
    if (each.is === 'nothing') return []
    return each.is === 'grant' ? [each.kind.lifecycle.parent?.kind ?? ''] : [each.kind.name]
  })
  const projects = resources.flatMap(each => (counterpartOf(each) ? (projectOf(each) ?? []) : []))
  return {
    kinds: [...new Set(kinds)],
    projects: [...new Set(projects)],
    withGrants: counterparts.some(({ is }) => is === 'grant'),
  }
}

/** The resources to take over from a state, and notes, one line each. */
export interface TakenOver {
  readonly carried: readonly Carried[]
  readonly notes: readonly string[]
}

/** `folder`: may contain the configuration of the resources. */
export async function takeOver(
  resources: readonly StateResource[],
  projects: readonly LiveProject[],
  { folder, language }: { readonly folder: string; readonly language: ExportLanguage },
): Promise<TakenOver> {
  const { carried: found, not } = carryOver(resources, projects)
  const lifecycles = await readLifecycles(folder)
  const carried = found.map(
    (each): Carried => ({ ...each, lifecycle: lifecycles.get(configured(each.address)) }),
  )
  const unknown = carried.filter(({ lifecycle }) => !lifecycle)
  const named = (heading: string, listOf: (each: Carried) => readonly string[]) =>
    carried.flatMap(each =>
      listOf(each).length > 0 ? [`${heading}: ${each.address}: ${listOf(each).join(', ')}`] : [],
    )
  return {
    carried,
    notes: [
      ...not.map(({ address, reason }) => `not taken over: ${address}: ${reason}`),
      ...named('renamed since the state was written', ({ renamedFrom, object }) =>
        renamedFrom === undefined ? [] : [`"${renamedFrom}" is now "${object.identity}"`],
      ),
      ...named(
        'the state differs from the live object; the live values were written',
        ({ drifted }) => drifted,
      ),
      ...named('its lifecycle was not written, or only in part', each =>
        language === 'yaml' ? namesIn(each.lifecycle) : lostIn(each),
      ),
      ...(unknown.length > 0
        ? [
            `a state has no lifecycle, and the folder has no configuration of ${counted(unknown.length, 'resource')}: copy prevent_destroy and ignore_changes by hand`,
          ]
        : []),
      ...named('sensitive in the state, so not written and not changed', ({ hidden }) => hidden),
    ],
  }
}

function namesIn({ isProtected, ignored, others }: Lifecycle = noLifecycle): readonly string[] {
  const ignoring = ignored.length > 0 ? [`ignore_changes of ${ignored.join(' and ')}`] : []
  return [...(isProtected ? ['prevent_destroy'] : []), ...ignoring, ...others]
}

/** Lifecycle settings that our resources do not support. */
function lostIn({ kind, lifecycle = noLifecycle }: Carried): readonly string[] {
  const ignored = lifecycle.ignored.filter(name => ignoredHere(kind, name) === undefined)
  return namesIn({ ...lifecycle, isProtected: false, ignored })
}

const noLifecycle: Lifecycle = { isProtected: false, ignored: [], others: [] }

/** The live objects to take over, each with its grants. */
export function objectsOf(carried: readonly Carried[]): Exportable[] {
  const objects = carried.filter(({ grant }) => grant === undefined)
  return objects.map(({ object: { grants: _, ...object } }) => {
    const own = carried.flatMap(each => (each.grant && isSameObject(each.object, object) ? [each.grant] : []))
    return own.length > 0 ? { ...object, grants: own } : object
  })
}

/** Grants whose flags are not taken over. */
function looseGrants(carried: readonly Carried[]): Carried[] {
  const objects = carried.filter(({ grant }) => grant === undefined)
  return carried.filter(
    each => each.grant && !objects.some(({ object }) => isSameObject(object, each.object)),
  )
}

function isSameObject(one: Pick<Exportable, 'kind' | 'id'>, other: Pick<Exportable, 'kind' | 'id'>): boolean {
  return one.kind === other.kind && one.id === other.id
}

/** Names the command that removes the objects from Terraform's state, since YAML now declares them. */
export function forgetNote(carried: readonly Carried[]): string {
  const addresses = carried.map(({ address }) => shellWord(address))
  return `${counted(carried.length, 'resource')} of the state: remove ${carried.length === 1 ? 'it' : 'them'} from the configuration and from the state: terraform state rm ${addresses.join(' ')}`
}

/** The file of a folder that declares `required_providers`, which is allowed only once. */
async function requiringFile(host: Host, directory: string): Promise<string | undefined> {
  const folder = resolve(host.directory, directory)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(each => each.endsWith('.tf')).sort()) {
    const text = await readRegularFile(join(folder, name), largestFile).then(String, () => '')
    if (/^\s*required_providers\s*\{/m.test(text)) return name
  }
  return undefined
}

function requireNote(file: string): string {
  const [, name = ''] = providerName.split('/')
  return `add to required_providers in ${file}: ${name} = { source = "${providerName}" }`
}
