import { join, resolve } from 'node:path'
import type { Exportable } from '../../../../core/exportable.ts'
import { declarableKind, declarableKinds } from '../../../../kinds/index.ts'
import { defaultProfile } from '../../../../model/connection/profile.ts'
import { compareTexts } from '../../../../model/text/compare-texts.ts'
import type { ExportDocument } from '../../../../report/document.ts'
import { counted } from '../../../../report/object-names.ts'
import type { Carried } from '../../../../stack/state/carry-over.ts'
import {
  CarriedNames,
  type CarriedResource,
  type CarryingWay,
  carriedConfiguration,
  isMoved,
  takeOverBlocks,
} from '../../../../stack/write/carried-configuration.ts'
import { constructsProgram, hasOtherWords, stackName } from '../../../../stack/write/constructs-program.ts'
import {
  type ConfigurationFile,
  hclConfiguration,
  type ProviderPlace,
} from '../../../../stack/write/hcl-configuration.ts'
import {
  grantsOf,
  inProject,
  type LiveResource,
  liveResources,
  withLifecycle,
} from '../../../../stack/write/live-resource.ts'
import { type Naming, ResourceNames } from '../../../../stack/write/resource-names.ts'
import { asDeclared } from '../../../../yaml/write/as-declared.ts'
import type { Connection } from '../../../connection/resolve-connection.ts'
import type { Host } from '../../../host/host.ts'
import type { ExportLanguage } from '../export-language.ts'
import { placeFiles } from '../place-files.ts'
import {
  isSameObject,
  looseGrants,
  objectsOf,
  requireNote,
  requiringFile,
  type TakenOver,
} from './take-over-state.ts'

export interface ConfigurationExport {
  readonly objects: readonly Exportable[]
  readonly connection: Connection
  readonly language: Exclude<ExportLanguage, 'yaml'>
  /** Whether the service is an embedded sandbox, whose address is another one at each start. */
  readonly isSandbox: boolean
  /** As the service has it, in place of the typed form. */
  readonly isRaw: boolean
  /** What is taken over of a state, in place of all objects. */
  readonly takenOver?: TakenOver
  readonly way?: CarryingWay
  /** Where the files go; to standard output, as one text, when left out. */
  readonly directory?: string
}

/** Writes live objects as a configuration of Terraform that imports them and plans nothing else. */
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
  return { written: await writeFiles(host, folder, files), notes: [count, ...notes] }
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

/** Who gets a flag is one attribute where it moves with a state, or where changes of it are ignored. */
function isRawIn(each: Carried, way: CarryingWay): boolean {
  return isMoved(each, way) || (each.lifecycle?.ignored.length ?? 0) > 0
}

function isResourceOf(
  { kind, object, grant }: Carried,
  { kind: own, object: live, grant: given }: LiveResource,
) {
  return kind === own && isSameObject(object, live) && grant?.id === given?.id
}

interface Written {
  readonly resources: readonly LiveResource[]
  /** What is to be known of them: a line each. */
  readonly notes: readonly string[]
}

function resourcesOf(
  objects: readonly Exportable[],
  names: Naming,
  isRaw: (object: Exportable) => boolean,
): Written {
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

/** By kind and by name, so that the same state always gives the same text. */
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

function namedWithId({ kind, identity, id }: Exportable): string {
  return `${declarableKind(kind).title} ${JSON.stringify(identity)} (id ${id})`
}

/** The key stays where it is: in the environment. */
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

async function writeFiles(
  host: Host,
  folder: string,
  files: readonly ConfigurationFile[],
): Promise<readonly string[]> {
  const placed = files.map(({ path, text }) => ({ path: join(folder, path), text }))
  await placeFiles(placed, host.runtime.uniqueId())
  return placed.map(({ path }) => path)
}
