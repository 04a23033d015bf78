import type { Kind } from '../../model/kind.ts'

/** The provider's source in configurations: namespace and type. */
export const providerName = 'vexil/vexil'

/** The provider's source with Terraform's default registry. */
export const providerSource = `registry.terraform.io/${providerName}`

/** The usual local name of the provider in a module. */
export const usualLocalName = 'vexil'

/** Whether a source is this provider, with or without a registry. */
export function isOurSource(source: unknown): boolean {
  return typeof source === 'string' && source.toLowerCase().split('/').slice(-2).join('/') === providerName
}

/** Both full sources: Terraform and OpenTofu have different default registries. */
export const providerSources: readonly string[] = [providerSource, `registry.opentofu.org/${providerName}`]

const prefix = 'vexil_'

/** The type of a resource or data source in configurations. */
export function typeName(name: string): string {
  return `${prefix}${name}`
}

export function isOurType(type: string): boolean {
  return type.startsWith(prefix)
}

/** The attribute with the id of an object's parent: `feature_flag_id`. */
export function parentAttribute({ lifecycle }: Pick<Kind, 'lifecycle'>): string | undefined {
  return lifecycle?.parent && `${lifecycle.parent.kind}_id`
}

/** The types of other providers for the same objects. Their resources can be moved to this provider. */
export function typesElsewhere(name: string): readonly string[] {
  return [`posthog_${name}`]
}
