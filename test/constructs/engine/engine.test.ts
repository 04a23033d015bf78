import * as cdktf from 'cdktf'
import * as cdktn from 'cdktn'
import { Construct } from 'constructs'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'

class Flags extends cdktf.TerraformStack {}

describe('a construct made for cdktf', () => {
  it('stands in a stack of cdktf, however deep', () => {
    const stack = new Flags(new cdktf.App(), 'flags')
    const flag = new FeatureFlag(new Construct(stack, 'checkout'), 'flag', { key: 'checkout' })
    expect(flag.node.path).toBe('flags/checkout/flag')
  })

  it('refuses a stack of cdktn', () => {
    const stack = new cdktn.TerraformStack(new cdktn.App(), 'flags')
    const scope = new Construct(stack, 'checkout')
    expect(() => new FeatureFlag(scope, 'flag', { key: 'checkout' })).toThrow(
      '"flags/checkout/flag": this construct is made for cdktf, but the app comes from cdktn; import the construct from "vexil/cdktn", or everything else from "cdktf"',
    )
  })

  it('refuses a stack of cdktn without an app', () => {
    const stack = new cdktn.TerraformStack(new Construct(undefined as never, ''), 'flags')
    expect(() => new FeatureFlag(stack, 'flag', { key: 'checkout' })).toThrow(
      '"flags/flag": this construct is made for cdktf, but "flags" comes from cdktn; import the construct from "vexil/cdktn", or everything else from "cdktf"',
    )
  })

  it('refuses a stack of cdktf in an app of cdktn, whose synthesis would fail', () => {
    const stack = new Flags(new cdktn.App(), 'flags')
    expect(() => new FeatureFlag(stack, 'flag', { key: 'checkout' })).toThrow(
      '"flags/flag": this construct is made for cdktf, but the app comes from cdktn; import the construct from "vexil/cdktn", or everything else from "cdktf"',
    )
  })

  it('refuses to be imported into a stack of cdktn', () => {
    const stack = new cdktn.TerraformStack(new cdktn.App(), 'flags')
    expect(() => FeatureFlag.generateConfigForImport(stack, 'legacy', '7')).toThrow(
      '"flags/legacy": this construct is made for cdktf, but the app comes from cdktn; import the construct from "vexil/cdktn", or everything else from "cdktf"',
    )
  })
})
