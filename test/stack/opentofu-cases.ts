/** A stack whose flag `a` is called `declared`. */
const stack = JSON.stringify({
  variable: { v: { type: 'string', default: '05' } },
  locals: { l: 'local' },
  resource: {
    vexil_feature_flag: {
      a: { key: 'a', name: 'declared', active: false, tags: ['t'], lifecycle: { ignore_changes: ['tags'] } },
    },
  },
})
const withModule = JSON.stringify({
  module: { m: { source: './m', name: 'given' } },
  resource: { vexil_feature_flag: { a: { key: 'a', name: '${module.m.name}', active: false } } },
})
const moduleText = 'variable "name" {}\noutput "name" { value = var.name }\n'
const resource = (body: string, name = 'a') => `resource "vexil_feature_flag" "${name}" {\n${body}\n}\n`
const flag = (name: string) => resource(`key = "b"\nname = "${name}"\nactive = false`, 'b')
const condition = (it: string) => `${it} {\n condition = var.v == "x"\n error_message = "not now"\n}\n`

/** What OpenTofu makes of the files in a folder: the names of flags by their keys; nothing where it refuses them. */
export type OpenTofuCase = readonly [
  title: string,
  files: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>> | undefined,
]

/** Each beside the file of a stack, if it has none of its own. */
export const openTofuCases: readonly OpenTofuCase[] = (
  [
    ['a file of its own', { 'more.tofu': flag('tofu') }, { a: 'declared', b: 'tofu' }],
    ['one in JSON', { 'more.tofu.json': '{"locals": {"m": 1}}' }, { a: 'declared' }],
    ['its workspace', { 'more.tofu': flag('${tofu.workspace}') }, { a: 'declared', b: 'default' }],
    [
      'lists that YAML merges',
      { 'more.tofu': `locals {\n y = yamldecode("<<: [{k: one}, {k: two}]")\n}\n${flag('${local.y.k}')}` },
      { a: 'declared', b: 'two' },
    ],
    [
      'one side that decides',
      { 'more.tofu': flag('${true || tobool("x")} ${tobool("x") && false} ${null && true}') },
      { a: 'declared', b: 'true false false' },
    ],
    [
      'a template that is a constant',
      { 'more.tofu': flag('${templatestring("by $${who}", { who = "hand" })}') },
      { a: 'declared', b: 'by hand' },
    ],
    ['a hidden one', { '.more.tofu': '{', 'more.tofu~': '{' }, { a: 'declared' }],
    [
      'one of the same name',
      { 'more.tf': flag('tf'), 'more.tofu': flag('tofu') },
      { a: 'declared', b: 'tofu' },
    ],
    ['one for the stack itself', { 'cdk.tofu.json': '{"locals": {}}' }, {}],
    ['the same resource again', { 'more.tofu': resource('key = "a"\nactive = false') }, undefined],
    ['an override', { 'override.tofu': resource('name = "over"') }, { a: 'over' }],
    [
      'an override in JSON',
      { 'override.tofu.json': '{"resource": {"vexil_feature_flag": {"a": {"name": "over"}}}}' },
      { a: 'over' },
    ],
    [
      'two overrides, in the order of their names',
      { 'b_override.tofu': resource('name = "second"'), 'a_override.tofu': resource('name = "first"') },
      { a: 'second' },
    ],
    ['an override that is hidden', { '_override.tofu~': resource('name = "over"') }, { a: 'declared' }],
    ['a name that only ends so', { 'myoverride.tofu': resource('name = "over"') }, undefined],
    [
      'an override of a local',
      { 'more.tofu': flag('${local.l}'), 'override.tofu': 'locals {\n l = "over"\n}\n' },
      { a: 'declared', b: 'over' },
    ],
    [
      'an override of a default',
      { 'more.tofu': flag('${var.v}'), 'override.tofu': 'variable "v" {\n default = 6\n}\n' },
      { a: 'declared', b: '6' },
    ],
    [
      'an override of a default and its type',
      {
        'more.tofu': flag('${var.v}'),
        'override.tofu': 'variable "v" {\n type = number\n default = "06"\n}\n',
      },
      { a: 'declared', b: '6' },
    ],
    ['an override of what is not there', { 'override.tofu': resource('name = "over"', 'c') }, undefined],
    ['an override of a local that is not there', { 'override.tofu': 'locals {\n x = 1\n}\n' }, undefined],
    ['an override of depends_on', { 'override.tofu': resource('depends_on = [var.v]') }, undefined],
    [
      'an override with a move',
      {
        'override.tofu': 'moved {\n from = vexil_feature_flag.x\n to = vexil_feature_flag.a\n}\n',
      },
      undefined,
    ],
    [
      'an override of a precondition',
      { 'override.tofu': resource(`lifecycle {\n${condition('precondition')}}`) },
      undefined,
    ],
    [
      'an override of a validation',
      { 'override.tofu': `variable "v" {\n${condition('validation')}}\n` },
      undefined,
    ],
    ['an override with a check', { 'override.tofu': `check "c" {\n${condition('assert')}}\n` }, undefined],
    [
      'an override of rules',
      { 'override.tofu': resource('lifecycle {\n ignore_changes = []\n prevent_destroy = true\n}') },
      { a: 'declared' },
    ],
    [
      'the provider in an override alone',
      { 'override.tofu': 'provider "vexil" {\n default_tags = ["t"]\n}\n' },
      { a: 'declared' },
    ],
    [
      'an alias in an override alone',
      { 'override.tofu': 'provider "vexil" {\n alias = "eu"\n}\n' },
      undefined,
    ],
    [
      'the providers that are required, twice',
      {
        'one.tofu': 'terraform {\n required_providers {\n  vexil = { source = "vexil/vexil" }\n }\n}\n',
        'two.tofu': 'terraform {\n required_providers {\n  vexil = { source = "vexil/vexil" }\n }\n}\n',
      },
      undefined,
    ],
    [
      'a file in a module',
      { 'cdk.tf.json': withModule, 'm/main.tf': '{', 'm/main.tofu': moduleText },
      { a: 'given' },
    ],
    [
      'an override in a module',
      {
        'cdk.tf.json': withModule,
        'm/main.tf': moduleText,
        'm/override.tf': 'output "name" {\n value = "over"\n}\n',
      },
      { a: 'over' },
    ],
    [
      'an override of a call',
      {
        'cdk.tf.json': withModule,
        'm/main.tf': moduleText,
        'override.tofu': 'module "m" {\n name = "over"\n}\n',
      },
      { a: 'over' },
    ],
  ] as const
).map(([title, files, names]) => [title, { 'cdk.tf.json': stack, ...files }, names])
