import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'

/**
 * Parts of a provider's schema that make no good constructs, each with place and reason. The generator fails
 * on some. It accepts the rest silently, and makes constructs that cannot be compiled, or set, or trusted.
 *
 * | in the schema | the generator |
 * | --- | --- |
 * | a block or nested attribute in a `group` | fails |
 * | the same in a `map` | has no method to set it |
 * | `tuple` | fails |
 * | `dynamic` | accepts only maps, no text and no list |
 * | an attribute named like a meta-argument or a member of every construct | writes what does not compile |
 */
export function schemaTraps(schema: JsonObject): readonly string[] {
  return providersOf(schema).flatMap(provider => [
    ...trapsOfBlock('provider', member(member(provider, 'provider'), 'block')),
    ...trapsOfAll('resource', member(provider, 'resource_schemas')),
    ...trapsOfAll('data source', member(provider, 'data_source_schemas')),
  ])
}

const forbidden = new Set([
  ...[
    'connection',
    'count',
    'depends_on',
    'for_each',
    'lifecycle',
    'provider',
    'provisioner',
    'provisioners',
  ],
  ...['cdktf_stack', 'constructor', 'to_string'],
])

function providersOf(schema: JsonObject): readonly Json[] {
  return Object.values(member(schema, 'provider_schemas'))
}

function trapsOfAll(what: string, blocks: JsonObject): string[] {
  return Object.entries(blocks).flatMap(([name, each]) =>
    trapsOfBlock(`${what} ${name}`, member(each, 'block')),
  )
}

/** A block, or the nested type of an attribute: both have attributes, and only a block has blocks. */
function trapsOfBlock(place: string, block: JsonObject): string[] {
  const attributes = Object.entries(member(block, 'attributes')).flatMap(([name, attribute]) => {
    const here = `${place}.${name}`
    const nested = member(attribute, 'nested_type')
    return [
      ...(forbidden.has(name) ? [`${here}: the name is taken`] : []),
      ...trapsOfType(here, isJsonObject(attribute) ? attribute.type : undefined),
      ...trapsOfNesting(here, nested),
      ...trapsOfBlock(here, nested),
    ]
  })
  const blocks = Object.entries(member(block, 'block_types')).flatMap(([name, each]) => [
    ...trapsOfNesting(`${place}.${name}`, member(each)),
    ...trapsOfBlock(`${place}.${name}`, member(each, 'block')),
  ])
  return [...attributes, ...blocks]
}

function trapsOfNesting(place: string, { nesting_mode: nesting }: JsonObject): string[] {
  return nesting === 'group' || nesting === 'map' ? [`${place}: nested in a ${nesting}`] : []
}

function trapsOfType(place: string, type: Json | undefined): string[] {
  if (type === 'dynamic') return [`${place}: a dynamic type`]
  if (!isJsonArray(type)) return []
  const [name, of] = type
  if (name === 'tuple') return [`${place}: a tuple`]
  return name === 'object'
    ? Object.entries(member(of)).flatMap(([key, each]) => trapsOfType(`${place}.${key}`, each))
    : trapsOfType(place, of)
}

/** The member of an object, or the value itself, as an object; an empty one if there is none. */
function member(value: Json | undefined, name?: string): JsonObject {
  const found = name === undefined ? value : isJsonObject(value) ? value[name] : undefined
  return isJsonObject(found) ? found : {}
}
