import { Fn, Op, TerraformIterator, type TerraformStack, TerraformVariable, Token } from 'cdktf'
import { DataVexilFeatureFlag } from '../../src/constructs/generated/data-vexil-feature-flag/index.ts'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { Plugin } from '../../src/constructs/generated/plugin/index.ts'

const off = { active: false }

/** What people write, and the words with which the stack is refused; or the fields of the flag, where it is not. */
export interface TrapCase {
  readonly title: string
  readonly build: (stack: TerraformStack) => void
  readonly refused?: readonly (string | RegExp)[]
  readonly fields?: unknown
}

function flag(stack: TerraformStack, config: Partial<ConstructorParameters<typeof FeatureFlag>[2]> = {}) {
  return new FeatureFlag(stack, 'flag', { key: 'flag', ...off, ...config })
}

export const trapCases: readonly TrapCase[] = [
  {
    title: 'a number in the middle of a text',
    build: stack => {
      const looked = new DataVexilFeatureFlag(stack, 'looked', { key: 'other' })
      flag(stack, { name: `v-${looked.rolloutPercentage}` })
    },
    refused: [
      /^vexil_feature_flag\.flag\.name: it contains -8\.\d+e\+29\d, a placeholder for a number that is known later, which became text too early; write Token\.asString\(number\) in a text, or Token\.asAny\(list\) in a function$/,
    ],
  },
  {
    title:
      'a sum with a number that is known later: the engine drops what is added, as Terraform sees it too',
    build: stack => {
      const first = new FeatureFlag(stack, 'first', { key: 'first', groupTypeIndex: 2, release: [] })
      flag(stack, { groupTypeIndex: (first.groupTypeIndex + 1) as 3, release: [] })
    },
    fields: { active: false, filters: { groups: [], aggregation_group_type_index: 2 } },
  },
  {
    title: 'the sum as it is meant',
    build: stack => {
      const first = new FeatureFlag(stack, 'first', { key: 'first', groupTypeIndex: 2, release: [] })
      flag(stack, { groupTypeIndex: Token.asAny(Op.add(first.groupTypeIndex, 1)), release: [] })
    },
    fields: { active: false, filters: { groups: [], aggregation_group_type_index: 3 } },
  },
  {
    title: 'a truth value that is known later: what TypeScript decides is decided',
    build: stack => {
      const first = new FeatureFlag(stack, 'first', { key: 'first', active: false })
      flag(stack, { name: first.active ? 'on' : 'off' })
    },
    fields: { active: false, name: 'on' },
  },
  {
    title: 'text with ${...} as it is, in source files',
    build: stack => {
      new Plugin(stack, 'p', { name: 'p', source: { 'index.ts': 'const a = `${name}`' } })
    },
    refused: [
      'vexil_plugin.p.source["index.ts"]: it refers to name, which does not exist; for literal text, write $${ instead of ${: text.replace(/([$%])\\{/g, "$1$1{")',
    ],
  },
  {
    title: 'the same with ${a.b} in a payload',
    build: stack => {
      flag(stack, { active: true, payload: JSON.stringify({ text: 'dear ${user.name}' }) })
    },
    refused: [
      'vexil_feature_flag.flag.payload: it refers to user.name, which does not exist; for literal text, write $${ instead of ${: text.replace(/([$%])\\{/g, "$1$1{")',
    ],
  },
  {
    title: 'the same escaped',
    build: stack => {
      flag(stack, { name: 'a ${b} %{c} $${d}'.replace(/([$%])\{/g, '$1$1{') })
    },
    fields: { active: false, name: 'a ${b} %{c} $${d}' },
  },
  {
    title: 'rawString as a whole value: it has the backslashes that Terraform stores too',
    build: stack => {
      flag(stack, { name: Fn.rawString('a "q"') })
    },
    fields: { active: false, name: 'a \\"q\\"' },
  },
  {
    title: 'Fn.lookup on the elements of a for_each',
    build: stack => {
      const each = TerraformIterator.fromMap({ a: { name: 'n' } })
      const flags = new FeatureFlag(stack, 'flags', { forEach: each, key: each.key, ...off })
      flag(stack, { name: Token.asString(Fn.lookup(flags.fqn, 'a')) })
    },
    refused: [/^vexil_feature_flag\.flag\.name: /],
  },
  {
    title: 'the way to them that works',
    build: stack => {
      const each = TerraformIterator.fromMap({ a: { name: 'n' } })
      const flags = new FeatureFlag(stack, 'z_flags', { forEach: each, key: each.key, ...off })
      flag(stack, { name: `\${${flags.fqn}["a"].key}` })
    },
    fields: { active: false, name: 'a' },
  },
  {
    title: 'iterator.dynamic, whose names are those of TypeScript, which Terraform drops',
    build: stack => {
      const each = TerraformIterator.fromMap({ a: { share: 3 } })
      flag(stack, { release: each.dynamic({ rolloutPercentage: 3 }) as never })
    },
    refused: [
      'vexil_feature_flag.flag.release: "rolloutPercentage" is not a member of release[0]; did you mean "rollout_percentage"?',
    ],
  },
  {
    title: 'a member of a condition in camel case, which Terraform drops',
    build: stack => {
      flag(stack).addOverride('release', [{ rolloutPercentage: 3 }])
    },
    refused: [
      'vexil_feature_flag.flag.release: "rolloutPercentage" is not a member of release[0]; did you mean "rollout_percentage"?',
    ],
  },
  {
    title: 'a token whose text was changed',
    build: stack => {
      const first = new FeatureFlag(stack, 'first', { key: 'first', name: 'x', ...off })
      flag(stack).addOverride('name', first.key.slice(0, -1))
    },
    refused: [
      'vexil_feature_flag.flag.name: it contains a mark ${TfToken[...]} that the engine should have replaced; use the value without changing its text, or build the text with Fn.format',
    ],
  },
]

const changes: readonly (readonly [string, (text: string) => string])[] = [
  ['put into lower case', text => text.toLowerCase()],
  ['put into capitals', text => text.toUpperCase()],
  ['given other signs', text => text.replace(/\W/g, '_')],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded twice', text => encodeURIComponent(encodeURIComponent(text))],
  [
    'percent-encoded letter by letter',
    text => text.replace(/\w/g, sign => `%${sign.charCodeAt(0).toString(16)}`),
  ],
  ['cut off at the front', text => text.slice(4)],
]

/** A reference is text to TypeScript, so it can be changed as one; what comes out is no reference any more. */
export const changedTokens: readonly TrapCase[] = changes.flatMap(([how, change]) =>
  (['key', 'name', 'payload', 'tags', 'source'] as const).map(
    (field): TrapCase => ({
      title: `a token that was ${how}, as the ${field}`,
      build: stack => {
        const token = change(new TerraformVariable(stack, 'v', { type: 'string', default: 'x' }).stringValue)
        if (field === 'source') new Plugin(stack, 'flag', { name: 'p', source: { 'a.ts': `a ${token}` } })
        else if (field === 'tags') flag(stack, { tags: [token] })
        else if (field === 'payload') flag(stack, { payload: JSON.stringify({ a: token }), release: [] })
        else flag(stack, { [field]: token })
      },
      refused: [new RegExp(`^vexil_(?:feature_flag|plugin)\\.flag\\.${field}.*: it contains a mark `)],
    }),
  ),
)

/** What one engine gets wrong and the other does not. */
export const cdktfTraps: readonly TrapCase[] = [
  {
    title: 'Op.eq with an empty text',
    build: stack => {
      flag(stack, { name: '${"x"}', active: Op.eq('x', '') as never })
    },
    refused: [
      'vexil_feature_flag.flag.active: it refers to undefined, which an engine writes for an empty text, zero and a missing value; compare with Op.eq(value, Fn.rawString("")) or compute the answer in TypeScript',
    ],
  },
  {
    title: 'Op.eq with zero',
    build: stack => {
      flag(stack, { active: Op.eq(1, 0) as never })
    },
    refused: [
      'vexil_feature_flag.flag.active: it refers to undefined, which an engine writes for an empty text, zero and a missing value; compare with Op.eq(value, Fn.rawString("")) or compute the answer in TypeScript',
    ],
  },
]

export const quoteTrap: TrapCase = {
  title: 'Fn.jsonencode of a text with quotes',
  build: stack => {
    flag(stack, { payload: Fn.jsonencode({ a: 'say "hi"' }), active: true })
  },
  refused: [
    'vexil_feature_flag.flag.payload: it cannot be read: "hi" stands where "}" is needed; write text that is to be taken as it is with $${ for ${, and JSON with JSON.stringify instead of Fn.jsonencode',
  ],
}
