import type { Kind } from '../../model/kind.ts'

/** What a configuration asks for: the namespace and the type of the provider. */
export const providerName = 'vexil/vexil'

/** Where Terraform looks for what a configuration names so. */
export const providerSource = `registry.terraform.io/${providerName}`

/** What configurations have to call it, as far as Vexil reads them itself. */
export const ourLocalName = 'vexil'

/** Whether a configuration calls our provider otherwise; the source may name its registry. */
export function isOursMisnamed(name: unknown, source: unknown): boolean {
  if (name === ourLocalName || typeof source !== 'string') return false
  return source.toLowerCase().split('/').slice(-2).join('/') === providerName
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
