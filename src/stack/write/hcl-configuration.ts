import { declarableKind } from '../../kinds/index.ts'
import { providerName } from '../../schema/terraform/terraform-names.ts'
import { type HclBlock, hclFile } from './hcl-block.ts'
import type { LiveResource } from './live-resource.ts'
import { type WrittenMembers, type WrittenValue, writtenOf } from './written-value.ts'

/** A file of a configuration. */
export interface ConfigurationFile {
  readonly path: string
  readonly text: string
}

/** What the provider's block says of the place; the key is left to the environment. */
export interface ProviderPlace {
  readonly baseUrl?: string
  readonly projectId?: string
  readonly organizationId?: string
  readonly profile?: string
}

/** Import blocks came with this version of Terraform. */
const importsSince = '>= 1.5'

/** Live objects as files of Terraform's language: provider, resources by their kinds, and the imports, which go after the first apply. */
export function hclConfiguration(
  resources: readonly LiveResource[],
  place: ProviderPlace,
): readonly ConfigurationFile[] {
  return [
    { path: 'providers.tf', text: hclFile(providerBlocks(place, importsSince)) },
    ...resourceFiles(resources),
    { path: 'imports.tf', text: hclFile(resources.map(importBlock)) },
  ].filter(({ text }) => text !== '')
}

/** The block that says which provider is needed, and its own. */
export function providerBlocks(place: ProviderPlace, since: string): HclBlock[] {
  const { baseUrl, projectId, organizationId, profile } = place
  const said = {
    base_url: baseUrl,
    project_id: projectId,
    organization_id: organizationId,
    profile,
  }
  const [, name = ''] = providerName.split('/')
  const required: HclBlock = {
    type: 'required_providers',
    attributes: { [name]: { is: 'members', members: { source: writtenOf(providerName) } } },
  }
  return [
    { type: 'terraform', attributes: { required_version: writtenOf(since) }, blocks: [required] },
    {
      type: 'provider',
      labels: [name],
      attributes: Object.fromEntries(
        Object.entries(said).flatMap(([attribute, value]) =>
          value === undefined ? [] : [[attribute, writtenOf(value)] as const],
        ),
      ),
    },
  ]
}

/** The resources of each kind in a file of their own; grants stand behind their flags. */
export function resourceFiles(resources: readonly LiveResource[]): ConfigurationFile[] {
  const sections = new Map<string, LiveResource[]>()
  for (const resource of resources) {
    const { parent } = resource.kind.lifecycle
    const { section } = parent ? declarableKind(parent.kind) : resource.kind
    sections.set(section, [...(sections.get(section) ?? []), resource])
  }
  return [...sections].map(([name, those]) => ({
    path: `${name}.tf`,
    text: hclFile(those.map(resourceBlock)),
  }))
}

export function resourceBlock({ type, name, attributes, ignored, isProtected }: LiveResource): HclBlock {
  const all = ignored.includes('all') ? addressOf('all') : undefined
  const lifecycle = {
    ...(isProtected ? { prevent_destroy: writtenOf(true) } : {}),
    ...(ignored.length > 0
      ? { ignore_changes: all ?? { is: 'list' as const, elements: ignored.map(addressOf) } }
      : {}),
  }
  const blocks = Object.keys(lifecycle).length > 0 ? [{ type: 'lifecycle', attributes: lifecycle }] : []
  return { type: 'resource', labels: [type, name], attributes, blocks }
}

export function importBlock({ type, name, importId }: LiveResource): HclBlock {
  const attributes: WrittenMembers = { to: addressOf(`${type}.${name}`), id: writtenOf(importId) }
  return { type: 'import', attributes }
}

export function addressOf(text: string): WrittenValue {
  return { is: 'address', text }
}
