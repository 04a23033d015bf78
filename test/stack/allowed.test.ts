import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { guardRules } from '../../src/model/guard-rules.ts'
import { identityField } from '../../src/model/kind.ts'
import { typeName } from '../../src/schema/terraform/terraform-names.ts'
import { extrasOf } from '../../src/schema/terraform/terraform-schema.ts'
import { loadStack } from '../../src/stack/index.ts'
import { createVexilProvider } from '../../src/terraform/vexil-provider.ts'
import { inFolder } from '../support/folder.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { overTheWire } from '../terraform/support/values.ts'

const terraform = createVexilProvider({ runtime: testRuntime(), env: {}, directory: '/' })
const context = { signal: new AbortController().signal }

/** What a stack says of the rules that it allows. */
async function refusedInStack(type: string, config: object, provider: object): Promise<string[]> {
  const stack = {
    provider: { vexil: [{ project_id: '1', ...provider }] },
    resource: { [type]: { it: config } },
  }
  return inFolder({ 'cdk.tf.json': JSON.stringify(stack) }, async folder => {
    const { problems } = await loadStack({
      folder,
      directory: folder,
      variables: new Map(),
      env: {},
    })
    return problems.filter(({ message }) => message.includes('allow')).map(({ message }) => message)
  })
}

const rules = [...guardRules, 'rolout_step']
const cases = declarableKinds
  .filter(kind => 'allow' in extrasOf(kind))
  .flatMap(kind => rules.map(rule => [rule, kind] as const))

describe('a rule that is allowed', () => {
  it.each(cases)('%s: a stack takes it where Terraform does, for a $title', async (rule, kind) => {
    const type = typeName(kind.name)
    const config = { [identityField(kind)]: 'it', allow: [rule] }
    const resource = terraform.resources[type]
    const given = overTheWire(resource?.schema ?? terraform.schema, config)
    const told = (await resource?.validate?.(given, context)) ?? []
    const isRefused = told.some(({ attribute }) => String(attribute) === 'allow')
    const said = await refusedInStack(type, config, {})
    expect(said).toEqual(
      isRefused
        ? [`${type}.it.allow: ${JSON.stringify(rule)} is not a rule that blocks a ${kind.title}`]
        : [],
    )
  })

  it.each(rules)('%s: a stack takes it of its provider where Terraform does', async rule => {
    const given = overTheWire(terraform.schema, { allow: [rule] })
    const told = (await terraform.validateProvider?.(given, context)) ?? []
    const said = await refusedInStack('vexil_feature_flag', { key: 'it' }, { allow: [rule] })
    expect(said).toEqual(
      told.length > 0 ? [`provider.vexil: ${JSON.stringify(rule)} is not a rule that can be allowed`] : [],
    )
  })
})
