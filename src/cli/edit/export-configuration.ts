import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Exportable } from '../../core/live.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { defaultProfile } from '../../model/connection.ts'
import { readRegularFile } from '../../model/files.ts'
import { largestFile, largestSaved } from '../../model/limits.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import type { ExportDocument } from '../../report/document.ts'
import { counted } from '../../report/object-names.ts'
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
import type { ExportLanguage } from '../command-options.ts'
import { CommandError } from '../host/exit-code.ts'
import { type Host, readInput, readNamedFile } from '../host/host.ts'
import type { Connection } from '../repository/connection.ts'
import { namedWithId } from './exported-place.ts'
import { placeFiles } from './write-export.ts'

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
  const placed = files.map(({ path, text }) => ({ path: join(folder, path), text }))
  await placeFiles(placed, host.runtime.uniqueId())
  return { written: placed.map(({ path }) => path), notes: [count, ...notes] }
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
    next: 'run terraform init and terraform plan there, and take imports.tf out after the apply',
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
    next: `take the ${counted(all.length, 'resource')} that ${all.length === 1 ? 'is' : 'are'} taken over out of the configuration, run terraform init and terraform plan, and take vexil_imports.tf out after the apply`,
    notes: [...(requiring === undefined ? [] : [requireNote(requiring)]), ...before, ...notes],
  }
}

/** The filters are one attribute if they move with a state, or if changes of them are ignored. */
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
      notes.push(`left out: ${namedWithId(object)}: ${made.reason}`)
      continue
    }
    resources.push(...made)
    const left = made.flatMap(({ ignored, unnamed }) => [...ignored, ...unnamed])
    if (left.length > 0)
      notes.push(
        `left to the service, since no configuration takes all that is live: ${namedWithId(object)}: ${left.join(', ')}`,
      )
  }
  return { resources, notes }
}

/** Sorted by kind and name, so that the same state always gives the same text. */
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

/** The key is not written: it stays in the environment. */
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

/** The resources in the file of a state; `-` means standard input. */
export async function readStateOf(host: Host, file: string): Promise<readonly StateResource[]> {
  const what = file === '-' ? 'what was given' : `the state "${escapeText(file)}"`
  const text = file === '-' ? await readInput(host) : await readNamedFile(host, what, file, largestSaved)
  const resources = readState(text)
  if ('problem' in resources)
    throw new CommandError(
      `${what} cannot be read: ${resources.problem}; give terraform.tfstate, or pipe in what \`terraform state pull\` or \`terraform show -json\` prints, with -`,
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

/** What is taken over from a state, with notes for the person, one line each. */
export interface TakenOver {
  readonly carried: readonly Carried[]
  readonly notes: readonly string[]
}

/** `folder` has the configuration of the resources, if any of it is there. */
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
      ...named('the state differs from what is live; what is live was written', ({ drifted }) => drifted),
      ...named('its lifecycle is not written, or not all of it', each =>
        language === 'yaml' ? namesIn(each.lifecycle) : lostIn(each),
      ),
      ...(unknown.length > 0
        ? [
            `a state has no lifecycle, and the folder has no configuration of ${counted(unknown.length, 'resource')}: copy prevent_destroy and ignore_changes by hand`,
          ]
        : []),
      ...named('sensitive in the state, so not written and left as it is', ({ hidden }) => hidden),
    ],
  }
}

function namesIn({ isProtected, ignored, others }: Lifecycle = noLifecycle): readonly string[] {
  const ignoring = ignored.length > 0 ? [`ignore_changes of ${ignored.join(' and ')}`] : []
  return [...(isProtected ? ['prevent_destroy'] : []), ...ignoring, ...others]
}

/** The lifecycle settings that our resources cannot contain. */
function lostIn({ kind, lifecycle = noLifecycle }: Carried): readonly string[] {
  const ignored = lifecycle.ignored.filter(name => ignoredHere(kind, name) === undefined)
  return namesIn({ ...lifecycle, isProtected: false, ignored })
}

const noLifecycle: Lifecycle = { isProtected: false, ignored: [], others: [] }

/** The live objects that are taken over, each with its grants that are taken over. */
export function objectsOf(carried: readonly Carried[]): Exportable[] {
  const objects = carried.filter(({ grant }) => grant === undefined)
  return objects.map(({ object: { grants: _, ...object } }) => {
    const own = carried.flatMap(each => (each.grant && isSameObject(each.object, object) ? [each.grant] : []))
    return own.length > 0 ? { ...object, grants: own } : object
  })
}

/** Grants of objects that are not taken over themselves. */
function looseGrants(carried: readonly Carried[]): Carried[] {
  const objects = carried.filter(({ grant }) => grant === undefined)
  return carried.filter(
    each => each.grant && !objects.some(({ object }) => isSameObject(object, each.object)),
  )
}

function isSameObject(one: Pick<Exportable, 'kind' | 'id'>, other: Pick<Exportable, 'kind' | 'id'>): boolean {
  return one.kind === other.kind && one.id === other.id
}

/** Terraform still manages objects that YAML now declares, until a command removes them from its state. */
export function forgetNote(carried: readonly Carried[]): string {
  const addresses = carried.map(({ address }) => shellWord(address))
  return `${counted(carried.length, 'resource')} of the state: take ${carried.length === 1 ? 'it' : 'them'} out of the configuration, and have Terraform forget: terraform state rm ${addresses.join(' ')}`
}

/** The file of a folder that declares the required providers: a configuration may do so only once. */
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
