import { propertyOf } from '../../constructs/engine/property-name.ts'
import type { Exportable } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { targetingField } from '../../model/kind.ts'
import type { TerraformAttribute, TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'
import { providerName } from '../../schema/terraform/terraform-names.ts'
import { resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { wholeTyped } from '../../targeting/codec.ts'
import type { HclBlock } from './hcl-block.ts'
import type { ConfigurationFile, ProviderPlace } from './hcl-configuration.ts'
import type { LiveResource } from './live-resource.ts'
import { type TsNames, tsQuoted, tsText } from './ts-value.ts'
import { type WrittenMembers, type WrittenReference, writtenOf } from './written-value.ts'

/** The stack of the program that is written. */
export const stackName = 'live'

/**
 * Live objects as a program of CDKTF: the generated constructs, whose properties are the attributes of Terraform, with
 * their imports. `blocks` is what the stack has beside them: `removed` and `moved`.
 */
export function constructsProgram(
  resources: readonly LiveResource[],
  place: ProviderPlace,
  blocks: readonly HclBlock[] = [],
): readonly ConfigurationFile[] {
  const names = new ProgramNames(resources)
  const kinds = [...new Set(resources.map(({ kind }) => propertyOf(kind.name)))]
  const [, provider = ''] = providerName.split('/')
  const said = Object.fromEntries(
    Object.entries(place).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, writtenOf(value)]] : [],
    ),
  ) as WrittenMembers
  const lines = [
    "import { App, TerraformStack } from 'cdktf'",
    `import { ${[...kinds, 'provider'].sort().join(', ')} } from 'vexil/cdktf'`,
    '',
    'const app = new App()',
    `const stack = new TerraformStack(app, ${tsQuoted(stackName)})`,
    `new provider.VexilProvider(stack, ${tsQuoted(provider)}, ${tsText({ is: 'members', members: said }, names, '')})`,
    '',
    ...resources.map(resource => statement(resource, names)),
    ...overrides(blocks, names),
    'app.synth()',
    '',
  ]
  return [{ path: 'main.ts', text: lines.join('\n') }]
}

/** Whether a live flag is released by words of which the properties of constructs do not know one. */
export function hasOtherWords({ kind: kindName, fields }: Exportable): boolean {
  const kind = declarableKind(kindName)
  const field = targetingField(kind)
  const typed = field === undefined ? undefined : wholeTyped(fields[field] ?? null)
  return typed !== undefined && !areChoices(resourceBlock(kind).attributes, typed)
}

function areChoices(attributes: TerraformAttributes, values: Json): boolean {
  if (!isJsonObject(values)) return false
  return Object.entries(values).every(([name, value]) => value === null || isChoice(attributes[name], value))
}

function isChoice(attribute: TerraformAttribute | undefined, value: Json): boolean {
  if (!attribute) return false
  if ('list' in attribute) return isJsonArray(value) && value.every(each => areChoices(attribute.list, each))
  return attribute.choices === undefined || attribute.choices.some(choice => choice === value)
}

function statement(resource: LiveResource, names: ProgramNames): string {
  const { kind, attributes, ignored, isProtected, importId, isMoved = false } = resource
  const lifecycle = {
    ...(isProtected ? { prevent_destroy: true } : {}),
    ...(ignored.length > 0 ? { ignore_changes: ignored.includes('all') ? 'all' : ignored } : {}),
  }
  const hasOne = Object.keys(lifecycle).length > 0
  const members: WrittenMembers = { ...attributes, ...(hasOne ? { lifecycle: writtenOf(lifecycle) } : {}) }
  const space = propertyOf(kind.name)
  const name = `${space.charAt(0).toUpperCase()}${space.slice(1)}`
  const made = `new ${space}.${name}(stack, ${tsQuoted(names.idOf(resource))}, ${tsText({ is: 'members', members }, names, '')})`
  const imported = isMoved ? '' : `.importFrom(${tsQuoted(importId)})`
  const variable = names.variableOf(resource)
  if (variable === undefined) return `${made}${imported}\n`
  return `const ${variable} = ${made}\n${isMoved ? '' : `${variable}${imported}\n`}`
}

/** Blocks for which the engine has no words of its own. */
function overrides(blocks: readonly HclBlock[], names: TsNames): string[] {
  const types = [...new Set(blocks.map(({ type }) => type))]
  return types.map(type => {
    const elements = blocks
      .filter(block => block.type === type)
      .map(({ attributes = {}, blocks: inner = [] }) => ({
        is: 'members' as const,
        members: {
          ...attributes,
          ...Object.fromEntries(
            inner.map(each => [each.type, { is: 'members' as const, members: each.attributes ?? {} }]),
          ),
        },
      }))
    return `stack.addOverride(${tsQuoted(type)}, ${tsText({ is: 'list', elements }, names, '')})\n`
  })
}

/** What a program calls its resources: each has an id in the stack, and a variable where another one refers to it. */
class ProgramNames implements TsNames {
  readonly #ids = new Map<string, string>()
  readonly #variables = new Map<string, string>()

  constructor(resources: readonly LiveResource[]) {
    const referred = new Set(resources.flatMap(({ attributes }) => referencesIn(attributes)))
    const [ids, variables] = [new Set(['vexil']), new Set<string>()]
    // A move names a flag by its own name, so no grant may take that first.
    const inOrder = [false, true].flatMap(isBelow =>
      resources.filter(({ kind }) => (kind.lifecycle.parent !== undefined) === isBelow),
    )
    for (const { kind, type, name } of inOrder) {
      const address = `${type}.${name}`
      this.#ids.set(address, unique(ids, name, `${name}_${kind.name}`))
      if (!referred.has(address)) continue
      const word = propertyOf(name.replaceAll('-', '_'))
      this.#variables.set(address, unique(variables, `${word}Flag`, `${word}Flag${variables.size}`))
    }
  }

  idOf({ type, name }: LiveResource): string {
    return this.#ids.get(`${type}.${name}`) ?? name
  }

  variableOf({ type, name }: LiveResource): string | undefined {
    return this.#variables.get(`${type}.${name}`)
  }

  variable({ type, name }: WrittenReference): string {
    return this.#variables.get(`${type}.${name}`) ?? name
  }

  property(attribute: string): string {
    return propertyOf(attribute)
  }
}

function referencesIn(attributes: WrittenMembers): string[] {
  return Object.values(attributes).flatMap(value =>
    value.is === 'reference' ? [`${value.to.type}.${value.to.name}`] : [],
  )
}

function unique(taken: Set<string>, first: string, other: string): string {
  let name = taken.has(first) ? other : first
  while (taken.has(name)) name += '_'
  taken.add(name)
  return name
}
