import { TerraformDataSource, type TerraformResource } from 'cdktf'
import { settled } from './settled.ts'

export interface Attributes {
  readonly [name: string]: unknown
}

/**
 * What will be synthesized of a resource or a data source as things stand, `addOverride` included, and what every `Lazy`
 * produces.
 */
export function attributesOf(declared: TerraformResource | TerraformDataSource): Attributes | undefined {
  const section = TerraformDataSource.isTerraformDataSource(declared) ? 'data' : 'resource'
  const types = memberOf(declared.toTerraform(), section)
  const attributes = memberOf(memberOf(types, declared.terraformResourceType), declared.friendlyUniqueId)
  // A resource that was moved elsewhere leaves nothing but the note of that.
  const known = settled(declared, attributes)
  return isRecord(known) ? known : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

function isRecord(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}
