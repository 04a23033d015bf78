import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, TerraformResource, Testing } from 'cdktf'
import { App as OtherApp, TerraformResource as OtherResource, TerraformStack as OtherStack } from 'cdktn'
import { describe, expect, it } from 'vitest'
import {
  DataVexilFeatureFlag,
  enforce,
  FeatureFlag,
  Flag,
  NamePattern,
  Plugin,
} from '../../src/constructs/index.ts'
import '../../src/testing/vitest.ts'
import { anApp, aStack } from '../constructs/a-stack.ts'
import { aShop, aSmallStack, templated } from './shop.ts'

describe('toHaveResource', () => {
  it.each([
    ['our construct', Flag],
    ['the generated one', FeatureFlag],
    ['the type', 'vexil_feature_flag'],
  ])('finds a flag by %s', (_, type) => {
    expect(aShop()).toHaveResource(type)
    expect(aShop()).toHaveResource(type, { key: 'checkout_v2', active: true })
  })

  it.each<[string, Record<string, unknown>]>([
    ['a part of a nested object', { release: [{ rollout_percentage: 25 }] }],
    ['a matcher', { release: expect.any(Array), key: expect.stringMatching(/^checkout/) }],
    ['text with a template in it, as it was written', { name: templated }],
    ['a matcher over such text', { name: expect.stringContaining(templated.slice(-9)) }],
    ['the absence of an attribute', { project_id: undefined }],
    ['a list', { tags: ['team-checkout'] }],
  ])('compares %s', (_, attributes) => {
    expect(aShop()).toHaveResource(Flag, attributes)
  })

  it('compares text that begins with a byte order mark, as it was written', () => {
    const stack = aStack()
    new Flag(stack, 'Flag', { key: 'flag', name: `\ufeff${templated}` })
    expect(stack).toHaveResource(Flag, { name: `\ufeff${templated}` })
    expect(stack).not.toHaveResource(Flag, { name: templated })
  })

  it.each<[string, Record<string, unknown>]>([
    ['another value', { key: 'checkout' }],
    ['a shorter list', { tags: [] }],
    ['a longer list', { release: [{ rollout_percentage: 25 }, {}] }],
    ['a value that is not there', { projectId: 'x' }],
    ['an object in place of text', { name: {} }],
    ['a number in place of text', { key: 1 }],
  ])('does not take %s', (_, attributes) => {
    expect(aShop()).not.toHaveResource(Flag, attributes)
  })

  it('compares JSON text by what it means', () => {
    const stack = aStack()
    new FeatureFlag(stack, 'A', {
      key: 'a',
      filters: '{"groups": [{"properties": [], "rollout_percentage": 5}]}',
    })
    expect(stack).toHaveResource(Flag, { filters: { groups: [{ rollout_percentage: 5 }] } })
    expect(stack).toHaveResource(Flag, { filters: '{"groups":[{"rollout_percentage":5,"properties":[]}]}' })
    expect(stack).not.toHaveResource(Flag, { filters: '{"groups":[{"rollout_percentage":5}]}' })
  })

  it('tells data sources from resources', () => {
    const stack = aStack()
    Flag.fromKey(stack, 'Theirs', 'theirs')
    expect(stack).toHaveResource(DataVexilFeatureFlag, { key: 'theirs' })
    expect(stack).toHaveResource('data.vexil_feature_flag')
    expect(stack).not.toHaveResource(Flag)
  })

  it('names the resource that comes nearest and what it lacks', () => {
    const stack = aShop()
    new Flag(stack, 'Other', { key: 'other', active: false })
    expect(() =>
      expect(stack).toHaveResource(Flag, { key: 'checkout_v2', active: true, tags: ['growth'] }),
    ).toThrow(
      'expected a vexil_feature_flag with these attributes; of 2, vexil_feature_flag.checkout_v2 is the closest:\n' +
        '  /tags: expected ["growth"], got ["team-checkout"]',
    )
  })

  it('says how a name of another provider is spelled in a stack', () => {
    const stack = aStack()
    const resource = new TerraformResource(stack, 'a', { terraformResourceType: 'other_thing' })
    resource.addOverride('project_id', '3')
    expect(stack).toHaveResource('other_thing', { project_id: '3' })
    expect(() => expect(stack).toHaveResource('other_thing', { projectId: '3' })).toThrow(
      '/projectId: expected "3", got nothing; a synthesized stack spells it "project_id"',
    )
  })

  it('says what the stack has where there is nothing of the type', () => {
    expect(() => expect(aSmallStack()).toHaveResource(Plugin)).toThrow(
      'expected a vexil_plugin, but the stack has only vexil_feature_flag',
    )
    expect(() => expect(aSmallStack()).toHaveResource('vexil_feature_flags')).toThrow(
      'did you mean "vexil_feature_flag"?',
    )
    expect(() => expect(aStack()).toHaveResource(Flag)).toThrow('no resources')
  })

  it('says which one is there that should not be', () => {
    expect(() => expect(aSmallStack()).not.toHaveResource(Flag)).toThrow(
      'expected no vexil_feature_flag like vexil_feature_flag.dark_mode, but the stack has it',
    )
  })

  it('looks through all stacks of an app', () => {
    const app = anApp()
    aShop(app)
    aSmallStack(app)
    expect(app).toHaveResource(Flag, { key: 'checkout_v2' })
    expect(app).toHaveResource(Flag, { key: 'dark_mode' })
    expect(() => expect(app).toHaveResource(Flag, { key: 'dark', active: true })).toThrow(
      'shop: vexil_feature_flag',
    )
  })

  it('reads the text and the folder of a stack', () => {
    expect(Testing.synth(aSmallStack())).toHaveResource(Flag, { key: 'dark_mode' })
    const folder = Testing.fullSynth(aShop())
    expect(join(folder, 'stacks/shop')).toHaveResource(Flag, { key: 'checkout_v2' })
    expect(join(folder, 'stacks/shop/cdk.tf.json')).toHaveResource(Flag, { key: 'checkout_v2' })
    expect(folder).toHaveResource(Flag, { key: 'checkout_v2' })
    expect(join(folder, 'manifest.json')).toHaveResource(Flag, { key: 'checkout_v2' })
    expect(() => expect(join(folder, 'stacks')).toHaveResource(Flag)).toThrow(
      'there is no cdk.tf.json or manifest.json in',
    )
    rmSync(folder, { recursive: true })
  })

  it('reads a stack of the other engine', () => {
    const stack = new OtherStack(new OtherApp({ outdir: join(tmpdir(), 'vexil-cdktn.out') }), 'other')
    const resource = new OtherResource(stack, 'a', { terraformResourceType: 'vexil_feature_flag' })
    resource.addOverride('key', 'a')
    expect(stack).toHaveResource('vexil_feature_flag', { key: 'a' })
  })

  it('holds what the constructs validate, but for a provider', () => {
    const stack = aStack()
    stack.node.addValidation({ validate: () => ['nothing is right'] })
    new Flag(stack, 'C', { key: 'c' })
    expect(() => expect(stack).toHaveResource(Flag)).toThrow(
      /^the app is not valid\n {2}\[flags\] nothing is right$/,
    )
  })

  it('holds that no two constructs become one', () => {
    const stack = aStack()
    new FeatureFlag(stack, 'A', { key: 'a' }).overrideLogicalId('same')
    new FeatureFlag(stack, 'B', { key: 'b' }).overrideLogicalId('same')
    expect(() => expect(stack).toHaveResource(Flag)).toThrow('vexil_feature_flag.same is declared twice')
  })

  it('holds what the app enforces', () => {
    const app = anApp()
    const stack = aSmallStack(app)
    enforce(app, new NamePattern({ flags: /^x_/ }))
    expect(() => expect(stack).toHaveResource(Flag)).toThrow('dark_mode')
  })

  it('leaves the output folder of the app alone', () => {
    const outdir = mkdtempSync(join(tmpdir(), 'vexil-outdir-'))
    const app = new App({ outdir })
    expect(aSmallStack(app)).toHaveResource(Flag)
    expect(readdirSync(outdir, { recursive: true })).toEqual(['stacks'])
    rmSync(outdir, { recursive: true })
  })

  it('says what it is given that is no stack', () => {
    const { node } = new Flag(aStack(), 'A', { key: 'a' })
    expect(() => expect({ node }).toHaveResource(Flag)).toThrow(
      '"flags/A" is not a stack: pass the stack or its app',
    )
    expect(() => expect(undefined).toHaveResource(Flag)).toThrow(
      'undefined is not a stack: pass the stack or its app',
    )
  })
})
