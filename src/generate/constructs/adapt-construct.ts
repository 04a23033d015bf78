/**
 * Makes the generator's text ours. What it does, in this order:
 *
 * | the generator writes | we keep |
 * | --- | --- |
 * | two lines on where it comes from | our own line, as in every emitted file |
 * | a link to a registry below each property | the property's description |
 * | a link to a registry above each class | where this repository describes it |
 * | `super(scope, id` | a look at the engine around the scope first, before anything can fail |
 * | the call of that constructor | a note of where the construct was made behind it, for a resource and a data source |
 * | a method of the base class once more | the same with `override`, which our compiler asks for |
 * | constructor parameters that are properties | plain ones; the base class has the same properties |
 * | a struct that is written member by member | a look at whether it is one; a reference is written as it is |
 */
export function adaptConstruct(text: string, { banner, docs }: { banner: string; docs: string }): string {
  const ruled = [...rules(text, docs)].reduce((before, [from, to]) => before.replaceAll(from, to), text)
  const adapted = withStructs(ruled)
  if (/registry\.terraform\.io/.test(adapted))
    throw new Error('a link to a registry is left; see adapt-construct.ts')
  return `${banner}\n${adapted.trimEnd()}\n`
}

function* rules(text: string, docs: string): Generator<readonly [RegExp, string]> {
  yield [/^(?:\/\/ .*\n)+/g, '']
  yield [/^( *)\*\n *\* Docs at Terraform Registry: .*\n/gm, '']
  yield [/^ *\/\*\*\n *\* Docs at Terraform Registry: .*\n *\*\/\n/gm, '']
  yield [/^ *\* Docs at Terraform Registry: .*\n/gm, '']
  yield [/Represents a \{@link \S+ (\S+)\}/g, `\`$1\`, described in ${docs}`]
  yield [/Create a new \{@link \S+ (\S+)\} (Resource|Data Source)/g, 'Create a new `$1`']
  yield [/Refer to the \{@link \S+ (import section)\} in the documentation of this resource/g, `See ${docs}`]
  yield [
    /^import \* as cdktf from .*$/gm,
    `$&\nimport { inThisEngine${isProvider(text) ? '' : ', registerConstruct'} } from '${engine}';`,
  ]
  yield [/super\(scope, id,/g, 'super(inThisEngine(scope, id), id,']
  if (!isProvider(text))
    yield [/^ {4}super\(inThisEngine[\s\S]*?\n {4}\}\);\n/gm, '$&    registerConstruct(this);\n']
  yield [
    /ImportableResource\(scope, importToId,/g,
    'ImportableResource(inThisEngine(scope, importToId), importToId,',
  ]
  yield [/protected (synthesize(?:Hcl)?Attributes\()/g, 'protected override $1']
  yield [/public ([gs]et alias\()/g, 'public override $1']
  yield [/constructor\(protected (\w+: [\w.]+, )protected (\w+: \w+, )protected /g, 'constructor($1$2']
  yield [/[ \t]+$/gm, '']
}

/** It is no part of what is synthesized as a resource, and has no metadata there. */
function isProvider(text: string): boolean {
  return text.includes('extends cdktf.TerraformProvider')
}

/** What writes a struct, by its name, its type, its first line and the rest. */
const structWriter =
  /(export function \w+To(?:Hcl)?Terraform\(struct\?: (\w+) \| cdktf\.IResolvable\): any \{\n.*\n)([\s\S]*?\n\})/g

function withStructs(text: string): string {
  const guarded = text.replaceAll(structWriter, (_, head: string, type: string, body: string) => {
    const members = [...new Set([...body.matchAll(/struct!\.(\w+)/g)].map(([, name]) => `'${name}'`))]
    return `${head}  if (!isStruct(struct, '${type}', [${members.join(', ')}])) { return struct; }\n${body}`
  })
  return guarded === text
    ? text
    : guarded.replace(/^import \{ inThisEngine\b.*$/m, `$&\nimport { isStruct } from '${struct}';`)
}

/** As seen from the folder of a construct. */
const engine = '../../engine/engine.ts'
const struct = '../../engine/struct.ts'
