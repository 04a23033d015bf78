import type { Kind } from '../../model/kind.ts'

/** Where Terraform looks for the provider. */
export const providerSource = 'registry.terraform.io/vexil/vexil'

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
