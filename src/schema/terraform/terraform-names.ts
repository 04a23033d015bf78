import type { Kind } from '../../model/kind.ts'

/** What a configuration asks for: the namespace and the type of the provider. */
export const providerName = 'vexil/vexil'

/** Where Terraform looks for what a configuration names so. */
export const providerSource = `registry.terraform.io/${providerName}`

/** What a module calls it that does not say otherwise. */
export const usualLocalName = 'vexil'

/** Whether a source is that of our provider; it may name its registry. */
export function isOurSource(source: unknown): boolean {
  return typeof source === 'string' && source.toLowerCase().split('/').slice(-2).join('/') === providerName
}

/** The same, and where OpenTofu looks: each means a registry of its own by a name without one. */
export const providerSources: readonly string[] = [providerSource, `registry.opentofu.org/${providerName}`]

/** What every type of the provider starts with. */
const prefix = 'vexil_'

/** The type of a resource or data source as configurations name it. */
export function typeName(name: string): string {
  return `${prefix}${name}`
}

/** Whether a type of resources or data sources is one of this provider. */
export function isOurType(type: string): boolean {
  return type.startsWith(prefix)
}

/** The attribute that says by its id what an object of a kind hangs from: `feature_flag_id`. */
export function parentAttribute({ lifecycle }: Pick<Kind, 'lifecycle'>): string | undefined {
  return lifecycle?.parent && `${lifecycle.parent.kind}_id`
}

/** The types of other providers whose resources are the same objects: they can be moved here. */
export function typesElsewhere(name: string): readonly string[] {
  return [`posthog_${name}`]
}
