import { join } from 'node:path'
import type { TerraformStack } from 'cdktf'
import { EventDefinition, Flag, Plugin, Role } from '../../src/constructs/own-constructs.ts'
import { showPath } from '../../src/hcl/values/value.ts'
import type { KindName } from '../../src/kinds/index.ts'
import { type DeclarableKind, identityField } from '../../src/model/kind.ts'
import type { Problem } from '../../src/model/problem.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { writeJson } from '../../src/model/text/json-text.ts'
import { loadStack } from '../../src/stack/index.ts'
import { DiagnosticError } from '../../src/terraform/provider.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { aStack, saidOf } from '../constructs/a-stack.ts'
import { inFolder } from '../support/folder.ts'
import type { Config, Player } from '../terraform/resources/play.ts'

/** An object of a kind as it is declared: its managed fields by their names on the wire, the identity among them. */
export interface Declared {
  readonly kind: DeclarableKind
  readonly fields: JsonObject
}

/** What a front end says, and where: `place` is the field, or what leads to it from there. */
export interface Told {
  readonly place: string
  readonly severity: string
  readonly text: string
}

export type Tell = (declared: Declared) => Promise<readonly Told[]>

/** Declares the object in YAML, each field on a line of its own, and says which field the line of a problem is. */
export const tellYaml: Tell = async ({ kind, fields }) => {
  const identity = identityField(kind)
  const isGrant = kind.lifecycle.parent !== undefined
  const others = Object.keys(fields).filter(name => isGrant || name !== identity)
  const lines = isGrant
    ? ['  - flag: a', ...others.map(name => `    role: ${writeJson(fields[name] ?? null)}`)]
    : [
        `  ${JSON.stringify(fields[identity] ?? '')}:`,
        '    ensure: present',
        ...others.map(name => `    ${name}: ${writeJson(fields[name] ?? null)}`),
      ]
  const places = isGrant ? ['', '', ...others] : ['', identity, '', ...others]
  const all = `${kind.section}:\n${lines.join('\n')}\n`
  return inFolder({ 'vexil.yaml': 'version: 1\n', 'all.yaml': all }, async directory => {
    const { problems } = await readDeclared({ directory, env: {} })
    return problems.map(problem => told(problem, places[(problem.source?.line ?? 0) - 1] ?? ''))
  })
}

/** Takes the place from the address in the text. */
export const tellStack: Tell = async declared => {
  const { problems } = await loadAsStack(declared)
  return problems.map(problem => {
    const [, place = ''] = /^vexil_\w+\.one\.?([\w.[\]]*):/.exec(problem.message) ?? []
    return told(problem, place)
  })
}

/** Writes a synthesized stack and reads it. */
export async function loadAsStack({ kind, fields }: Declared) {
  const flag = { vexil_feature_flag: { parent: { key: 'parent', active: false } } }
  const one = { ...attributesOf(kind, fields), ...(kind.lifecycle.parent ? parentInStack : {}) }
  const resource = kind.lifecycle.parent
    ? { ...flag, [`vexil_${kind.name}`]: { one } }
    : { [`vexil_${kind.name}`]: { one } }
  const stack = {
    terraform: { required_providers: { vexil: { source: 'registry.terraform.io/vexil/vexil' } } },
    provider: { vexil: [{ project_id: '1', organization_id: organization }] },
    resource,
  }
  return inFolder({ 'stacks/flags/cdk.tf.json': JSON.stringify(stack) }, directory =>
    loadStack({ folder: join(directory, 'stacks/flags'), directory, variables: new Map(), env: {} }),
  )
}

const organization = '01900000-0000-0000-0000-000000000001'
const parentInStack = { feature_flag_id: `$\{vexil_feature_flag.parent.id}` }

/** Has the provider validate and plan the object as a new one. */
export function tellTerraform(terraform: Player): Tell {
  return async ({ kind, fields }) => {
    const config = {
      ...attributesOf(kind, fields),
      ...(kind.lifecycle.parent ? { feature_flag_id: '1' } : {}),
      // What Terraform has as JSON it has as text, so nothing but values of its own is left.
    } as Config
    // Each is a run of its own: in one run two objects of one key are refused.
    await terraform.begin()
    const diagnostics = [...(await terraform.validate(kind.name, config))]
    if (!diagnostics.some(({ severity }) => severity === 'error')) {
      try {
        diagnostics.push(...(await terraform.plan(kind.name, config, null)).warnings)
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error
        diagnostics.push(...error.diagnostics)
      }
    }
    return diagnostics.map(({ severity, summary, detail, attribute }) => ({
      place: attribute === undefined ? '' : showPath(attribute),
      severity,
      text: detail === undefined ? summary : `${summary} | ${detail}`,
    }))
  }
}

/** Builds the construct; what is thrown comes first, with what the error says it is about. */
export const tellConstructs: Tell = async ({ kind, fields }) => {
  const stack = aStack()
  try {
    builders[kind.name as keyof typeof builders](stack, propsOf(fields))
  } catch (error) {
    return [{ place: '', severity: 'error', text: error instanceof Error ? error.message : String(error) }]
  }
  return saidOf(stack).map(text => ({ place: '', severity: 'warning', text }))
}

type Build = (stack: TerraformStack, props: never) => void

const builders = {
  feature_flag: (stack, props) => new Flag(stack, 'One', props),
  feature_flag_role_access: (stack, { roleId, accessLevel }: { roleId: string; accessLevel?: never }) => {
    const flag = new Flag(stack, 'One', { key: 'one', active: false, release: [] })
    const role = Role.fromId(roleId, 'one')
    if (accessLevel === undefined) flag.grants.edit(role)
    else flag.grants.give(role, accessLevel)
  },
  plugin: (stack, props) => new Plugin(stack, 'One', props),
  event_definition: (stack, props) => new EventDefinition(stack, 'One', props),
} as const satisfies Record<Exclude<KindName, 'event' | 'role'>, Build>

function propsOf(fields: JsonObject): never {
  const props = Object.entries(fields).map(([name, value]) => [
    name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  // The constructs are to find out what is wrong with them.
  return Object.fromEntries(props) as never
}

function attributesOf(kind: DeclarableKind, fields: JsonObject): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      kind.fields[name]?.type === 'json' ? writeJson(value) : value,
    ]),
  )
}

function told({ severity, code, message, hint }: Problem, place: string): Told {
  return { place, severity, text: [code, message, ...(hint === undefined ? [] : [hint])].join(' | ') }
}
