import type { Kind } from '../../model/kind.ts'

/** The names in a configuration: the namespace and the type of the provider. */
export const providerName = 'vexil/vexil'

/** The registry that Terraform uses for such a name. */
export const providerSource = `registry.terraform.io/${providerName}`

/** The default name in a module. */
export const usualLocalName = 'vexil'

/** Whether a source is our provider; it may name its registry. */
export function isOurSource(source: unknown): boolean {
  return typeof source === 'string' && source.toLowerCase().split('/').slice(-2).join('/') === providerName
}

/** The same, and the registry of OpenTofu: both have a default registry for a name without one. */
export const providerSources: readonly string[] = [providerSource, `registry.opentofu.org/${providerName}`]

/** The prefix of every type of the provider. */
const prefix = 'vexil_'

/** The type of a resource or data source as configurations name it. */
export function typeName(name: string): string {
  return `${prefix}${name}`
}

/** Whether a type of resources or data sources is one of this provider. */
export function isOurType(type: string): boolean {
  return type.startsWith(prefix)
}

/** The attribute with the id of an object's parent: `feature_flag_id`. */
export function parentAttribute({ lifecycle }: Pick<Kind, 'lifecycle'>): string | undefined {
  return lifecycle?.parent && `${lifecycle.parent.kind}_id`
}

/** The types of other providers for the same objects: their resources can be moved here. */
export function typesElsewhere(name: string): readonly string[] {
  return [`posthog_${name}`]
}
