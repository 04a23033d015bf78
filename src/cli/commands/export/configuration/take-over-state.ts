import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Exportable } from '../../../../core/exportable.ts'
import { readRegularFile } from '../../../../model/files/read-regular-file.ts'
import { largestFile, largestSaved } from '../../../../model/limits.ts'
import { escapeText } from '../../../../model/text/escape-text.ts'
import { shellWord } from '../../../../model/text/shell-word.ts'
import { counted } from '../../../../report/object-names.ts'
import { providerName } from '../../../../schema/terraform/terraform-names.ts'
import {
  type Carried,
  carryOver,
  type LiveProject,
  type NotCarried,
} from '../../../../stack/state/carry-over.ts'
import { counterpartOf, projectOf } from '../../../../stack/state/official-provider.ts'
import { type Lifecycle, readLifecycles } from '../../../../stack/state/read-lifecycles.ts'
import { configured, readState, type StateResource } from '../../../../stack/state/read-state.ts'
import { ignoredHere } from '../../../../stack/write/live-resource.ts'
import { CommandError } from '../../../host/exit-code.ts'
import { readInput, readNamedFile } from '../../../host/files/read-named-file.ts'
import type { Host } from '../../../host/host.ts'
import type { ExportLanguage } from '../export-language.ts'

/** The resources in the file of a state, or in what is piped here where that is `-`. */
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

/** What has to be read of the live service to take over a state. */
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

/** What is taken over of a state, and what a person should know of it: a line each. */
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
      ...not.map(notCarriedNote),
      ...named('renamed since the state was written', ({ renamedFrom, object }) =>
        renamedFrom === undefined ? [] : [`"${renamedFrom}" is now "${object.identity}"`],
      ),
      ...named('live is not as the state has it, and was written', ({ drifted }) => drifted),
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

/** What no resource of ours has a place for. */
function lostIn({ kind, lifecycle = noLifecycle }: Carried): readonly string[] {
  const ignored = lifecycle.ignored.filter(name => ignoredHere(kind, name) === undefined)
  return namesIn({ ...lifecycle, isProtected: false, ignored })
}

const noLifecycle: Lifecycle = { isProtected: false, ignored: [], others: [] }

function notCarriedNote({ address, reason }: NotCarried): string {
  return `not taken over: ${address}: ${reason}`
}

/** The live objects that are taken over, each with those of its grants that are. */
export function objectsOf(carried: readonly Carried[]): Exportable[] {
  const objects = carried.filter(({ grant }) => grant === undefined)
  return objects.map(({ object: { grants: _, ...object } }) => {
    const own = carried.flatMap(each => (each.grant && isSameObject(each.object, object) ? [each.grant] : []))
    return own.length > 0 ? { ...object, grants: own } : object
  })
}

/** Grants of objects that are not taken over themselves. */
export function looseGrants(carried: readonly Carried[]): Carried[] {
  const objects = carried.filter(({ grant }) => grant === undefined)
  return carried.filter(
    each => each.grant && !objects.some(({ object }) => isSameObject(object, each.object)),
  )
}

export function isSameObject(
  one: Pick<Exportable, 'kind' | 'id'>,
  other: Pick<Exportable, 'kind' | 'id'>,
): boolean {
  return one.kind === other.kind && one.id === other.id
}

/** Terraform goes on managing what YAML declares now, until it is told to forget it. */
export function forgetNote(carried: readonly Carried[]): string {
  const addresses = carried.map(({ address }) => shellWord(address))
  return `${counted(carried.length, 'resource')} of the state: take ${carried.length === 1 ? 'it' : 'them'} out of the configuration, and have Terraform forget: terraform state rm ${addresses.join(' ')}`
}

/** The file of a folder in which a configuration says which providers it needs: it may do so once. */
export async function requiringFile(host: Host, directory: string): Promise<string | undefined> {
  const folder = resolve(host.directory, directory)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(each => each.endsWith('.tf')).sort()) {
    const text = await readRegularFile(join(folder, name), largestFile).then(String, () => '')
    if (/^\s*required_providers\s*\{/m.test(text)) return name
  }
  return undefined
}

export function requireNote(file: string): string {
  const [, name = ''] = providerName.split('/')
  return `add to required_providers in ${file}: ${name} = { source = "${providerName}" }`
}
