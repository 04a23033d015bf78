import { describe, expect, it } from 'vitest'
import { terraformDocs } from '../../../src/generate/terraform-docs.ts'
import type { TerraformAttributes } from '../../../src/schema/terraform/terraform-attribute.ts'
import { typeName } from '../../../src/schema/terraform/terraform-names.ts'
import {
  listedKinds,
  listResourceBlock,
  terraformSchema,
} from '../../../src/schema/terraform/terraform-schema.ts'
import { type Block, type Expression, readHcl } from '../../schema/hcl.ts'

const pages = terraformDocs()
const schema = terraformSchema()
const examples = pages.map(({ path, text }) => ({
  path,
  blocks: Array.from(text.matchAll(/```terraform\n([\s\S]*?)```/g), match => readHcl(match[1]!)).flat(),
}))
const withoutPrefix = (name: string) => name.replace('vexil_', '')

describe('the reference for a registry', () => {
  it('has a page for each thing that the provider has, where registries look for it', () => {
    expect(pages.map(({ path }) => path).sort()).toEqual(
      [
        'index.md',
        ...listedKinds.map(({ name }) => `list-resources/${name}.md`),
        ...Object.keys(schema.resources).map(name => `resources/${withoutPrefix(name)}.md`),
        ...Object.keys(schema.dataSources).map(name => `data-sources/${withoutPrefix(name)}.md`),
        ...Object.keys(schema.functions).map(name => `functions/${name}.md`),
      ].sort(),
    )
  })

  it.each(pages)('begins $path with what a registry reads', ({ text }) => {
    expect(text).toMatch(
      /^---\npage_title: "[^"\n]+"\nsubcategory: "[^"\n]*"\ndescription: \|-\n {2}\S[^\n]*\n---\n\n/,
    )
  })

  it('says of each attribute whether it is given or shown, and what it is', () => {
    const { text } = pages.find(({ path }) => path === 'resources/feature_flag_role_access.md')!
    const reference = text.slice(text.indexOf('## Schema'), text.indexOf('## Import'))
    expect(reference).toMatchInlineSnapshot(`
      "## Schema

      ### Required

      - \`feature_flag_id\` (String) The id of the flag: \`vexil_feature_flag.NAME.id\`. A change of this value creates a new object.
      - \`role_id\` (String) The role to grant; the only request field. A change of this value creates a new object.

      ### Optional

      - \`access_level\` (String, computed if not set) What the role may do with the flag, on services with levels; \`none\` hides the flag. Default: \`editor\`, which equals a grant on other services. One of "none", "viewer", "editor", "manager".
      - \`adopt\` (Boolean) Whether to adopt an existing live object that equals the configuration, instead of failing.
      - \`project_id\` (String, computed if not set) The project of the object. Default: the provider's project. A change of this value creates a new object.

      ### Read-Only

      - \`added_at\` (String) When the role was granted.
      - \`id\` (String) The id in the service.

      ## The Role by Its Name

      If the service lists roles, \`role_id = data.vexil_role.NAME.id\` uses the id of the role that the data source
      \`vexil_role\` found by its name. On other services, write the id itself.

      "
    `)
  })

  it('leads from a nested attribute to what it consists of', () => {
    for (const { text } of pages) {
      const led = Array.from(text.matchAll(/\(#(nestedatt--[\w-]+)\)/g), match => match[1])
      const there = Array.from(text.matchAll(/<a id="(nestedatt--[\w-]+)">/g), match => match[1])
      expect(there.sort()).toEqual(led.sort())
    }
    const flag = pages.find(({ path }) => path === 'resources/feature_flag.md')!.text
    expect(flag).toContain('### Nested Schema for `release.properties`\n\nRequired:\n\n- `key` (String)')
  })
})

describe('the examples of the reference', () => {
  it.each(examples)('are there in $path', ({ blocks }) => {
    expect(blocks.length).toBeGreaterThan(0)
  })

  it.each(examples)('name only what exists in $path', ({ blocks }) => {
    for (const block of blocks) expect(problemsIn(block, blocks)).toEqual([])
  })

  it.each([
    [
      'an attribute that does not exist',
      'resource "vexil_plugin" "p" {\n name = "p"\n nam = "q"\n}',
      ['nam'],
    ],
    ['one that is only shown', 'resource "vexil_plugin" "p" {\n name = "p"\n id = "1"\n}', ['id']],
    ['one that is missing', 'resource "vexil_plugin" "p" {}', ['name is missing']],
    [
      'a nested one that does not exist',
      'resource "vexil_feature_flag" "f" {\n key = "f"\n release = [{ percent = 1 }]\n}',
      ['release.percent'],
    ],
    ['a type that does not exist', 'data "vexil_flag" "f" {}', ['vexil_flag']],
    [
      'an address that does not exist',
      'output "o" { value = data.vexil_plugin.p.id }',
      ['data.vexil_plugin.p.id'],
    ],
    ['a function with too few arguments', 'output "o" { value = provider::vexil::rollout() }', ['rollout/0']],
  ])('would be refused for %s', (_, text, problems) => {
    const blocks = readHcl(text)
    expect(blocks.flatMap(block => problemsIn(block, blocks))).toEqual(problems)
  })

  it.each(['a = {', 'resource "a" "b" {', 'output "a" { value = [1 }', 'output "a" { value = "b }'])(
    'would be refused for %s, which is no HCL',
    text => {
      expect(() => readHcl(text)).toThrow(SyntaxError)
    },
  )
})

/** What a block says that the provider does not know. */
function problemsIn({ type, labels, attributes, blocks }: Block, all: readonly Block[]): string[] {
  const [name = ''] = labels
  const inside = Object.values(attributes).flatMap(value => addressProblems(value, all))
  switch (type) {
    case 'provider':
      return attributeProblems(attributes, schema.provider.attributes)
    case 'resource':
    case 'data': {
      const block = (type === 'data' ? schema.dataSources : schema.resources)[name]
      return block ? [...attributeProblems(attributes, block.attributes), ...inside] : [name]
    }
    case 'list': {
      const kind = listedKinds.find(each => typeName(each.name) === name)
      const config = blocks.find(each => each.type === 'config')
      return kind && config
        ? attributeProblems(config.attributes, listResourceBlock(kind).attributes)
        : [name]
    }
    case 'import':
      return attributeNames(attributes, ['to', 'id' in attributes ? 'id' : 'identity'])
    case 'output':
      return [...attributeNames(attributes, ['value']), ...inside]
    case 'locals':
      return inside
    case 'terraform':
      return blocks.map(({ type: nested }) => nested).filter(nested => nested !== 'required_providers')
    default:
      return [type]
  }
}

function attributeNames(attributes: Block['attributes'], names: readonly string[]): string[] {
  return Object.keys(attributes).filter(name => !names.includes(name))
}

function attributeProblems(given: Block['attributes'], known: TerraformAttributes, path = ''): string[] {
  const missing = Object.keys(known).filter(name => known[name]!.required && !(name in given))
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const attribute = known[name]
    if (!attribute || !(attribute.required || attribute.optional)) return [`${path}${name}`]
    if (!('list' in attribute)) return []
    if (value.is !== 'list') return [`${path}${name} is no list`]
    return value.elements.flatMap(element =>
      element.is === 'object'
        ? attributeProblems(element.members, attribute.list, `${path}${name}.`)
        : [`${path}${name} holds no object`],
    )
  })
  return [...missing.map(name => `${path}${name} is missing`), ...wrong]
}

function addressProblems(value: Expression, all: readonly Block[]): string[] {
  switch (value.is) {
    case 'object':
      return Object.values(value.members).flatMap(member => addressProblems(member, all))
    case 'list':
      return value.elements.flatMap(element => addressProblems(element, all))
    case 'other':
      return [
        ...value.addresses.filter(address => !isKnown(address, all)),
        ...value.calls.flatMap(callProblems),
      ]
  }
}

function isKnown(address: string, all: readonly Block[]): boolean {
  const steps = address.split('.')
  if (['true', 'false', 'null'].includes(address)) return true
  if (steps[0] === 'local')
    return all.some(({ type, attributes }) => type === 'locals' && steps[1]! in attributes)
  const [kind, [type = '', label, attribute]] =
    steps[0] === 'data' ? (['data', steps.slice(1)] as const) : (['resource', steps] as const)
  const blocks = kind === 'data' ? schema.dataSources : schema.resources
  const isThere = all.some(
    block => block.type === kind && block.labels[0] === type && block.labels[1] === label,
  )
  return isThere && (attribute === undefined || attribute in (blocks[type]?.attributes ?? {}))
}

function callProblems(call: string): string[] {
  const prefix = 'provider::vexil::'
  if (!call.startsWith(prefix)) return call.startsWith('json') ? [] : [call]
  const [name = '', count] = call.slice(prefix.length).split('/')
  return schema.functions[name]?.parameters.length === Number(count) ? [] : [`${name}/${count}`]
}

describe('what the reference warns of', () => {
  const page = (path: string) => pages.find(one => one.path === path)?.text.replaceAll('\n', ' ')

  it.each([
    ['index.md', 'an exported `VEXIL_PROJECT_ID` decides in which project'],
    ['index.md', '`TF_LOG_PROVIDER=trace`, or `TF_LOG`'],
    ['resources/feature_flag.md', 'to keep such edits, ignore changes of those attributes'],
    ['resources/feature_flag.md', 'ignore changes of this, `variants` and `payload`, but not of `filters`'],
    ['resources/feature_flag.md', 'nothing is sent and the flag stays unchanged'],
    ['resources/feature_flag.md', 'Plans hide a sensitive value in these attributes'],
    ['resources/feature_flag.md', 'Terraform hides values by position'],
  ])('%s: %s', (path, words) => {
    expect(page(path)).toContain(words)
  })
})
