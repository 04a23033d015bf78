import { TerraformDataSource, TerraformResource } from 'cdktf'
import type { IConstruct } from 'constructs'

/** A construct that becomes a resource or a data source. */
export type Declared = TerraformResource | TerraformDataSource

export function isDeclared(construct: IConstruct): construct is Declared {
  return (
    TerraformResource.isTerraformResource(construct) || TerraformDataSource.isTerraformDataSource(construct)
  )
}

export function isOurs(construct: IConstruct): construct is Declared {
  return isDeclared(construct) && construct.terraformGeneratorMetadata?.providerName === 'vexil'
}

export function addressOf(declared: Declared, id = declared.friendlyUniqueId): string {
  return `${sectionOf(declared) === 'data' ? 'data.' : ''}${declared.terraformResourceType}.${id}`
}

/** What a construct writes into its stack, with overrides; references are still marks. */
export function writtenAttributes(declared: Declared): unknown {
  const types = memberOf(declared.toTerraform(), sectionOf(declared))
  return memberOf(memberOf(types, declared.terraformResourceType), declared.friendlyUniqueId)
}

function sectionOf(declared: Declared): 'data' | 'resource' {
  return TerraformDataSource.isTerraformDataSource(declared) ? 'data' : 'resource'
}

export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}

/** The app's own construct: the generated resource inside it has no name of its own. */
export function ownConstruct(declared: IConstruct): IConstruct {
  const { scope } = declared.node
  return scope?.node.defaultChild === declared ? scope : declared
}

/** The name of the engine's class that a class is or extends: `cdktf.TerraformStack`. */
export function engineClass(construct: object): string {
  return String(Reflect.get(construct.constructor, origin)?.fqn)
}

/** Classes of both engines have their origin under this symbol, and so do classes that extend them. */
const origin = Symbol.for('jsii.rtti')
