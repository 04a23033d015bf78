import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { stackFileName } from '../stack/index.ts'
import type { Subject } from './subject.ts'
import { synthesize } from './synthesize.ts'

/** A class of constructs that become resources, ours and generated ones alike, or the type as Terraform has it. */
export type ResourceType = { readonly tfResourceType: string } | string

/** A resource or a data source as it was synthesized. */
export interface StackResource {
  /** `vexil_feature_flag.checkout_v2`, behind the stack's name where there are several. */
  readonly address: string
  readonly attributes: JsonObject
}

/** The type's name as addresses spell it: data sources begin with `data.`. */
export function typeName(type: ResourceType): string {
  if (typeof type === 'string') return type
  return isDataSource(type) ? `data.${type.tfResourceType}` : type.tfResourceType
}

/** All resources and data sources of a subject, by the names of their types. */
export function resourcesOf(subject: Subject): ReadonlyMap<string, readonly StackResource[]> {
  const { stacks, remove } = synthesize(subject)
  try {
    const found = new Map<string, StackResource[]>()
    for (const { name, folder } of stacks) {
      const prefix = stacks.length > 1 ? `${name}: ` : ''
      for (const { type, id, attributes } of blocksIn(readStack(folder))) {
        const resource = { address: `${prefix}${type}.${id}`, attributes }
        found.set(type, [...(found.get(type) ?? []), resource])
      }
    }
    return found
  } finally {
    remove()
  }
}

/** The engines say of each class of theirs what it is, and ours extend those. */
function isDataSource(type: object): boolean {
  for (let each: object | null = type; each !== null; each = Object.getPrototypeOf(each)) {
    const fqn: unknown = Reflect.get(each, Symbol.for('jsii.rtti'))?.fqn
    if (/^cdkt[fn]\.TerraformDataSource$/.test(String(fqn))) return true
  }
  return false
}

function readStack(folder: string): Json {
  // JSON text holds nothing but JSON.
  return JSON.parse(readFileSync(join(folder, stackFileName), 'utf8')) as Json
}

interface Block {
  readonly type: string
  readonly id: string
  readonly attributes: JsonObject
}

function blocksIn(stack: Json): readonly Block[] {
  if (!isJsonObject(stack)) return []
  return [...blocksUnder(stack.resource, ''), ...blocksUnder(stack.data, 'data.')]
}

function blocksUnder(types: Json | undefined, prefix: string): readonly Block[] {
  return membersOf(types).flatMap(([type, named]) =>
    membersOf(named).flatMap(([id, attributes]) =>
      isJsonObject(attributes) ? [{ type: `${prefix}${type}`, id, attributes }] : [],
    ),
  )
}

function membersOf(json: Json | undefined): [string, Json][] {
  return json !== undefined && isJsonObject(json) ? Object.entries(json) : []
}
