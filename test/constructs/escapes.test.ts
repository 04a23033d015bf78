import { TerraformOutput, TerraformVariable } from 'cdktf'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { Flag, Plugin } from '../../src/constructs/own-constructs.ts'
import { escapeText } from '../../src/constructs/templates.ts'
import { jsonText } from '../../src/constructs/write-json.ts'
import { terraform } from '../acceptance/support/binary.ts'
import { openStack, type Stack } from '../acceptance/support/stack.ts'
import { aStack, synthesized } from './a-stack.ts'

/** Texts in which much looks like a template. */
const texts = fc
  .array(fc.constantFrom('$', '%', '{', '}', '"', '\\', '${', '%{', '$${', '\n', 'name', 'é', "'"), {
    maxLength: 12,
  })
  .map(parts => parts.join(''))

/** Reads a template without anything to work out as Terraform does. */
function readTemplate(template: string): string {
  return template.replace(/([$%])\1\{|[$%]\{/g, (escaped, sign) => {
    if (sign === undefined) throw new Error(`there is something to work out in ${JSON.stringify(template)}`)
    return `${sign}{${escaped.slice(3)}`
  })
}

describe('texts that look like templates', () => {
  it('arrive as they were written', () => {
    fc.assert(
      fc.property(texts, text => {
        expect(readTemplate(escapeText(text))).toBe(text)
      }),
    )
  })

  it('arrive as they were written inside of JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(texts, fc.oneof(texts, fc.jsonValue())), value => {
        expect(JSON.parse(readTemplate(jsonText(value)))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('are escaped in every text of a flag and of a plugin', () => {
    const stack = aStack()
    new Flag(stack, 'Checkout', {
      key: 'a${b}',
      name: '%{if}',
      active: false,
      tags: ['t${x}'],
      logicalId: 'a',
    })
    new Plugin(stack, 'Geo', { name: 'g', source: { 'a${b}.ts': '`$${c}`' } })
    const { vexil_feature_flag: flags, vexil_plugin: plugins } = synthesized(stack).resource
    expect(flags.a).toEqual({ key: 'a$${b}', name: '%%{if}', active: false, tags: ['t$${x}'] })
    expect(plugins.g).toEqual({ name: 'g', source: { 'a$${b}.ts': '`$$${c}`' } })
  })
})

describe.skipIf(!terraform)('with the real Terraform', () => {
  let opened: Stack | undefined
  afterEach(() => opened?.remove())

  it('texts and JSON arrive, with what references stand for', async () => {
    const stack = aStack()
    const unknown = 'say "hi" ${x} \\ <b>'
    const text = new TerraformVariable(stack, 'text', { type: 'string', default: unknown }).stringValue
    const number = new TerraformVariable(stack, 'number', { type: 'number', default: 12.5 }).numberValue
    const list = new TerraformVariable(stack, 'list', { type: 'list(string)', default: ['a', 'b'] }).listValue
    const written = { json: { text, number, list, mixed: `$${text}$ %{x} ${text}"`, [`k ${text}`]: '${y}' } }
    new TerraformOutput(stack, 'json', { value: jsonText(written.json) })
    new TerraformOutput(stack, 'plain', { value: escapeText(`$$\${a} 100%${text} $${text} %%{b}`) })
    const { terraform: _, ...configuration } = synthesized(stack)
    // Nothing of a provider is in it, so there is nothing to install.
    opened = await openStack({ 'cdk.tf.json': JSON.stringify(configuration) }, {})
    await opened.apply()
    const outputs = await opened.outputs()
    expect(JSON.parse(String(outputs.json))).toEqual({
      text: unknown,
      number: 12.5,
      list: ['a', 'b'],
      mixed: `$${unknown}$ %{x} ${unknown}"`,
      [`k ${unknown}`]: '${y}',
    })
    expect(outputs.plain).toBe(`$$\${a} 100%${unknown} $${unknown} %%{b}`)
  })
})
