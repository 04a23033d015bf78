import fc from 'fast-check'

const roots = [
  'vexil_feature_flag.one',
  'resource.vexil_feature_flag.one',
  'vexil_feature_flag.two',
  'resource.vexil_feature_flag.two',
  'vexil_feature_flag.each',
  'data.vexil_feature_flag.one',
  'data.vexil_feature_flag.two',
  'vexil_feature_flag_role_access.grant',
  'vexil_plugin.each',
  'path',
  'terraform',
  'local.object',
  'var.object',
  'module.one',
  'module.two',
  'each',
  'count',
  'self',
]
const members =
  'key name release tags tags_all variants id ids nope rollout_percentage properties value filters module cwd workspace index a out project_id role_id payload active'
const indexes = [
  '[0]',
  '[1]',
  '[-1]',
  '["0"]',
  '["a"]',
  '["key"]',
  '["nope"]',
  '[local.number]',
  '.0',
  '[*]',
  '.*',
]

const step = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...members.split(' ')).map(name => `.${name}`) },
  { weight: 1, arbitrary: fc.constantFrom(...indexes) },
)

/** References into `referredTo`: some lead to what there is, some to what there may be, some to what nothing can be. */
export const arbitraryReference: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...roots), fc.array(step, { maxLength: 4 }))
  .map(([root, steps]) => root + steps.join(''))

const off = { active: false }

/** A stack that lacks nothing, and beside it an output for each reference, where `try` hides what only fails. */
export function referring(references: readonly string[]): Readonly<Record<string, string>> {
  const outputs = references.map(
    (reference, index) => `"o${index}": ${JSON.stringify({ value: `\${try(${reference}, "x")}` })}`,
  )
  // Each output is a line of its own, from the second on.
  return {
    'cdk.tf.json': `{"output": {\n${outputs.join(',\n')}\n}, ${JSON.stringify(referredTo).slice(1)}\n`,
    'inner/main.tf': 'output "out" {\n  value = { a = 1 }\n}\n',
  }
}

const referredTo = {
  terraform: { required_providers: { vexil: { source: 'vexil/vexil' } } },
  provider: {
    vexil: [{ base_url: 'http://127.0.0.1:9', project_id: '1', api_key: 'phx_0123456789012345678901' }],
  },
  locals: { number: 0, object: { a: 1 } },
  variable: { object: { default: { a: 1 } } },
  resource: {
    vexil_feature_flag: {
      one: { key: 'one', ...off },
      two: { count: 2, key: 'two-${count.index}', ...off },
      each: { for_each: '${toset(["a"])}', key: 'each-${each.key}', ...off },
    },
    vexil_feature_flag_role_access: {
      grant: {
        feature_flag_id: '${vexil_feature_flag.one.id}',
        role_id: '0190c2e4-7a39-7d5e-8f00-000000000001',
      },
    },
    vexil_plugin: { each: { for_each: { a: 1 }, name: 'each', plugin_type: 'local' } },
  },
  data: { vexil_feature_flag: { one: { key: 'one' }, two: { count: 2, key: 'one' } } },
  module: { one: { source: './inner' }, two: { source: './inner', count: 2 } },
}
