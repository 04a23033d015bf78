import { declarableKind } from '../kinds/index.ts'
import { pathParameters } from '../model/endpoint.ts'
import {
  type DeclarableKind,
  exampleOf,
  hasTargeting,
  type IdentifiedKind,
  identityField,
  pluralTitle,
  switchField,
  targetingField,
} from '../model/kind.ts'
import { isJsonArray, isJsonObject, type Json } from '../model/text/json.ts'
import { readJson } from '../model/text/json-text.ts'
import {
  type DataSource,
  parameterAttribute,
  parentNameAttribute,
} from '../schema/terraform/terraform-data-sources.ts'
import { parentAttribute, typeName } from '../schema/terraform/terraform-names.ts'

/** The key comes from the environment, so that no state contains it. */
export const providerExample = `terraform {
  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}

# export VEXIL_API_KEY=...
provider "vexil" {
  base_url        = "https://flags.example.com"
  project_id      = "1"
  organization_id = "01900000-0000-0000-0000-000000000001"
  default_tags    = ["terraform"]
}`

/** The example of a resource: its parent first, then an object of the kind. */
export function resourceText(kind: DeclarableKind): string {
  const { label, comment, files } = exampleOf(kind)
  const block = resource(kind, label, [
    attributes({ ...parentArgument(kind), ...fieldsOf(kind), ...wayOut(kind) }),
    ...(hasTargeting(kind) ? [releaseText] : []),
    ...(files ? [filesText(files)] : []),
  ])
  return [
    ...parentTexts(kind),
    comment === undefined ? block : `# ${comment}\n${block}`,
    ...(hasTargeting(kind) ? [jsonFiltersText(kind)] : []),
  ].join('\n\n')
}

function resource({ name }: DeclarableKind, label: string, parts: readonly string[]): string {
  return `resource "${typeName(name)}" "${label}" {\n${parts.join('\n\n')}\n}`
}

function fieldsOf(kind: DeclarableKind): Record<string, string> {
  const { identity, fields = {} } = exampleOf(kind)
  return mapValues({ [identityField(kind)]: identity, ...fields }, valueText)
}

/** The parent in the example is short. */
function parentTexts({ lifecycle }: DeclarableKind): string[] {
  if (!lifecycle.parent) return []
  const parent = declarableKind(lifecycle.parent.kind)
  const { label, identity } = exampleOf(parent)
  const release: Record<string, string> = hasTargeting(parent)
    ? { release: '[{ rollout_percentage = 10 }]' }
    : {}
  return [resource(parent, label, [attributes({ [identityField(parent)]: valueText(identity), ...release })])]
}

function parentArgument(kind: DeclarableKind): Record<string, string> {
  const [name, { parent }] = [parentAttribute(kind), kind.lifecycle]
  if (name === undefined || !parent) return {}
  return { [name]: `${typeName(parent.kind)}.${exampleOf(declarableKind(parent.kind)).label}.id` }
}

/** An adopted object must not be destroyed by accident. */
function wayOut({ lifecycle }: DeclarableKind): Record<string, string> {
  return lifecycle.cannotCreate === undefined ? {} : { on_destroy: '"restore"' }
}

const releaseText = `  release = [
    {
      properties         = [{ key = "country", values = ["DE", "AT"] }]
      rollout_percentage = 10
    },
    {
      properties  = [{ key = "email", operator = "icontains", value = "@example.com" }]
      variant     = "short"
      description = "We try it on ourselves first."
    },
  ]

  variants = [
    { key = "short", rollout_percentage = 50, payload = jsonencode({ steps = 1 }) },
    { key = "long", rollout_percentage = 50 },
  ]`

function jsonFiltersText(kind: DeclarableKind): string {
  const filters = 'jsonencode({ groups = [{ properties = [], rollout_percentage = 100 }] })'
  const given = { [identityField(kind)]: '"legacy_nav"', [targetingField(kind) ?? 'filters']: filters }
  return `# The same as the JSON that the service keeps.\n${resource(kind, 'legacy_nav', [attributes(given)])}`
}

function filesText(files: Readonly<Record<string, string>>): string {
  const texts = mapValues(files, (text, name) =>
    name.endsWith('.json') ? `jsonencode(${valueText(readJson(text))})` : valueText(text),
  )
  const quoted = Object.fromEntries(Object.entries(texts).map(([name, text]) => [valueText(name), text]))
  return `  source = {\n${attributes(quoted, '    ')}\n  }`
}

/** Lines of `name = value` with aligned values. */
function attributes(given: Readonly<Record<string, string>>, indent = '  '): string {
  const width = Math.max(...Object.keys(given).map(name => name.length))
  return Object.entries(given)
    .map(([name, value]) => `${indent}${name.padEnd(width)} = ${value}`)
    .join('\n')
}

/** A value in Terraform's language. */
function valueText(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${name} = ${valueText(member)}`)
  return `{ ${members.join(', ')} }`
}

/** The example of a data source: the data source and an output that uses it. */
export function dataSourceText(sourceName: string, source: DataSource): string {
  const type = typeName(sourceName)
  const given = asked(source)
  const body = given.length === 0 ? '{}' : `{\n${given.map(line => `  ${line}`).join('\n')}\n}`
  const value = wanted(source).replace('THIS', `data.${type}.this`)
  return `data "${type}" "this" ${body}\n\noutput "${sourceName}" {\n  value = ${value}\n}`
}

/** Likely arguments of a data source, for the object in the kind's own example. */
function asked(source: DataSource): readonly string[] {
  const { kind, read } = source
  if (read.source.asks) return read.source.asks
  if (source.is === 'one') return [`${identityField(source.kind)} = ${valueText(exampleOf(kind).identity)}`]
  if (source.is === 'many') return askedOfMany(source.kind)
  return pathParameters(read.path).flatMap(parameter => {
    const name = parameterAttribute(parameter, kind)
    if (name === 'project_id' || name === 'organization_id') return []
    const id = kind.parameters?.id === 'integer' ? '1' : someId
    return [`${name} = ${valueText(parameter === 'id' ? id : exampleOf(kind).identity)}`]
  })
}

/** The example of a list, with arguments of the matching data source. */
export function listText(kind: DeclarableKind): string {
  const given = askedOfMany(kind).map(line => `    ${line}`)
  return [
    `list "${typeName(kind.name)}" "all" {`,
    '  provider = vexil',
    '',
    '  config {',
    ...given,
    '  }',
    '}',
  ].join('\n')
}

const someId = '01900000-0000-0000-0000-0000000000ee'

function askedOfMany(kind: IdentifiedKind): readonly string[] {
  const { identity, fields = {} } = exampleOf(kind)
  const { ownedBy, parent } = kind.lifecycle
  if (parent) {
    const of = declarableKind(parent.kind)
    return [`${parentNameAttribute(kind)} = ${valueText(exampleOf(of).identity)}`]
  }
  const names = [ownedBy, switchField(kind)].filter(name => name !== undefined && name in fields) as string[]
  if (names.length === 0) return [`search = ${valueText(identity.slice(0, 3))}`]
  const given = Object.fromEntries(names.map(name => [name, valueText(fields[name] ?? null)]))
  return attributes(given, '').split('\n')
}

/** The part of the answer that people most likely need. */
function wanted({ is, kind, read }: DataSource): string {
  if (read.source.wants) return read.source.wants
  if (is === 'answer') return 'jsondecode(THIS.body)'
  if (is === 'many') {
    const { identity } = kind
    const one = pluralTitle(kind).replace(/^.* |s$/g, '')
    const name = identity.by === 'field' ? identity.field : `${identity.structure}_name`
    return `[for ${one} in THIS.${kind.section} : ${one}.${name}]`
  }
  const targeting = targetingField(kind)
  return targeting === undefined ? 'THIS.id' : `jsondecode(THIS.${targeting}).groups`
}

function mapValues<V, R>(record: Readonly<Record<string, V>>, form: (value: V, name: string) => R) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, form(value, name)]))
}

const tenPercent = 'jsonencode({ groups = [{ properties = [], rollout_percentage = 10 }] })'

/** An example call of each function, and its result. */
export const functionExamples: Readonly<Record<string, string>> = {
  filters: `resource "vexil_feature_flag" "checkout" {
  key     = "checkout_v2"
  release = [{ rollout_percentage = 10 }]
}

output "reach" {
  # 10
  value = provider::vexil::rollout(provider::vexil::filters(vexil_feature_flag.checkout)).max_percentage
}`,
  rollout: `output "reach" {
  # 10
  value = provider::vexil::rollout(${tenPercent}).max_percentage
}`,
  variants: `locals {
  filters = jsonencode({
    groups       = [{ properties = [], rollout_percentage = 100 }]
    multivariate = { variants = [{ key = "short", rollout_percentage = 50 }, { key = "long", rollout_percentage = 50 }] }
  })
}

output "shares" {
  # { long = 50, short = 50 }
  value = provider::vexil::variants(local.filters)
}`,
  evaluate: `locals {
  filters = jsonencode({
    groups = [{ properties = [{ key = "country", value = ["DE"], type = "person", operator = "exact" }] }]
  })
}

output "is_on_in_germany" {
  # true
  value = provider::vexil::evaluate("checkout_v2", local.filters, "anna", jsonencode({ country = "DE" })).enabled
}`,
}
