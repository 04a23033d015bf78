import { join } from 'node:path'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { anything, list, map, maybe, members } from '../model/json/json-shape.ts'
import { stackFileName } from '../stack/index.ts'
import { again, chooseStacks, readJsonFile, type Subject, synthesize } from './synthesize.ts'

/** A class of constructs that become resources, our own or a generated one, or the type as in Terraform. */
export type ResourceType = { readonly tfResourceType: string } | string

/** A resource, a data source, a provider's configuration or an output as it was synthesized. */
export interface StackBlock {
  /** `vexil_feature_flag`, `data.vexil_feature_flag`, `provider.vexil`, `output`. */
  readonly type: string
  /** The name of its stack. */
  readonly stack: string
  /** `vexil_feature_flag.checkout_v2`. */
  readonly path: string
  /** The path, after the stack's name if there are several. */
  readonly address: string
  readonly attributes: JsonObject
}

/** The type's name as addresses spell it: data sources begin with `data.`. */
export function resourceTypeName(type: ResourceType): string {
  if (typeof type === 'string') return type
  return isDataSource(type) ? `data.${type.tfResourceType}` : type.tfResourceType
}

/** All blocks of a subject, or of one stack in it. */
export function blocksOf(subject: Subject, stack: string | undefined): readonly StackBlock[] {
  const { stacks, remove } = synthesize(subject)
  try {
    const isAlone = stacks.length === 1
    return chooseStacks(stacks, stack).flatMap(({ name, folder }) =>
      blocksIn(readStack(folder)).map(({ type, path, attributes }) => ({
        type,
        stack: name,
        path,
        address: isAlone ? path : `${name}: ${path}`,
        attributes,
      })),
    )
  } finally {
    remove()
  }
}

/** Each class of the engines has its kind, and ours extend those classes. */
function isDataSource(type: object): boolean {
  for (let each: object | null = type; each !== null; each = Object.getPrototypeOf(each)) {
    const fqn: unknown = Reflect.get(each, Symbol.for('jsii.rtti'))?.fqn
    if (/^cdkt[fn]\.TerraformDataSource$/.test(String(fqn))) return true
  }
  return false
}

/** Throws if it has anything but an object in place of a block: the block would be found to be missing. */
function readStack(folder: string): JsonObject {
  const path = join(folder, stackFileName)
  const json = readJsonFile(path)
  const wrong = stackShape(json, '')
  if (wrong === undefined && isJsonObject(json)) return json
  throw new Error(`"${path}" is no synthesized stack: ${wrong}; ${again}`)
}

const body = map(anything)
const blocks = maybe(map(map(body)))
const stackShape = members({
  resource: blocks,
  data: blocks,
  provider: maybe(map((json, at) => (Array.isArray(json) ? list(body)(json, at) : body(json, at)))),
  output: maybe(map(body)),
})

type Block = Pick<StackBlock, 'type' | 'path' | 'attributes'>

function blocksIn(stack: JsonObject): readonly Block[] {
  return [
    ...blocksUnder(stack.resource, ''),
    ...blocksUnder(stack.data, 'data.'),
    ...providersIn(stack.provider),
    ...objectsIn(stack.output).map(([name, attributes]) => ({
      type: 'output',
      path: `output.${name}`,
      attributes,
    })),
  ]
}

function blocksUnder(types: Json | undefined, prefix: string): readonly Block[] {
  return membersOf(types).flatMap(([name, named]) => {
    const type = `${prefix}${name}`
    return objectsIn(named).map(([id, attributes]) => ({ type, path: `${type}.${id}`, attributes }))
  })
}

function providersIn(providers: Json | undefined): readonly Block[] {
  return membersOf(providers).flatMap(([name, configured]) => {
    const type = `provider.${name}`
    return (isJsonArray(configured) ? configured : [configured]).flatMap(attributes => {
      if (!isJsonObject(attributes)) return []
      const { alias } = attributes
      return [{ type, path: typeof alias === 'string' ? `${type}.${alias}` : type, attributes }]
    })
  })
}

function objectsIn(json: Json | undefined): [string, JsonObject][] {
  return membersOf(json).flatMap(([name, value]) => (isJsonObject(value) ? [[name, value]] : []))
}

function membersOf(json: Json | undefined): [string, Json][] {
  return json !== undefined && isJsonObject(json) ? Object.entries(json) : []
}
