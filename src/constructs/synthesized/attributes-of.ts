import { TerraformDataSource, type TerraformResource } from 'cdktf'
import { settled } from './settled.ts'

export interface Attributes {
  readonly [name: string]: unknown
}

/**
 * The current attributes that a resource or a data source will be synthesized with, including `addOverride`
 * and the results of every `Lazy`.
 */
export function attributesOf(declared: TerraformResource | TerraformDataSource): Attributes | undefined {
  const section = TerraformDataSource.isTerraformDataSource(declared) ? 'data' : 'resource'
  const types = memberOf(declared.toTerraform(), section)
  const attributes = memberOf(memberOf(types, declared.terraformResourceType), declared.friendlyUniqueId)
  // A resource that was moved elsewhere leaves only a note of that.
  const known = settled(declared, attributes)
  return isRecord(known) ? known : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

function isRecord(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}
