import { type App, Aspects, Fn, Lazy, TerraformStack, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { AddTags, enforce, Flag, When } from '../../../src/constructs/own-constructs.ts'
import { aStack, saidOf } from '../a-stack.ts'

/** What the engines lose of what an app writes, and that each is a warning at synthesis. */
export function describeLost(): void {
  describe('what the engine loses', () => {
    it('is the default of Fn.lookup that is 0', () => {
      const { stack, shares, flag } = someFlag()
      const lookup = Fn.lookup(shares.value, 'AT', 0)
      flag({ release: [When.everyone().at(Token.asNumber(lookup))] })
      expect(saidOf(stack)).toEqual([
        '[flags/Checkout] warn: release: var.shares.AT fails if the map has no "AT": the engine leaves out a default of 0, false or "" from Fn.lookup; write Fn.try([Fn.lookup(map, key), 0])',
      ])
    })

    it.each([
      ['a default of 1', (map: TerraformVariable) => Fn.lookup(map.value, 'AT', 1)],
      ['Fn.try', (map: TerraformVariable) => Fn.try([Fn.lookup(map.value, 'AT'), 0])],
      ['a key that the map has', (map: TerraformVariable) => Fn.lookup(map.value, 'de')],
    ])('is not %s', (_, share) => {
      const { stack, shares, flag } = someFlag()
      flag({ release: [When.everyone().at(Token.asNumber(share(shares)))] })
      expect(saidOf(stack)).toEqual([])
    })

    it('are keys in the default of a variable', () => {
      const { stack } = someFlag()
      new TerraformVariable(stack, 'v', { default: { DE: 1, at: [{ darkMode: 1, dark_mode: 2 }] } })
      expect(saidOf(stack)).toEqual([
        '[flags/v] warn: the engine changes keys of the default to snake case, so that "DE", "darkMode" are lost, and two keys may become one; leave out `default`, and write variable.addOverride(\'default\', {...})',
      ])
    })

    it('are no keys in an override of the default', () => {
      const { stack } = someFlag()
      new TerraformVariable(stack, 'v', {}).addOverride('default', { DE: 1 })
      expect(saidOf(stack)).toEqual([])
    })

    it('is the end of a list in a function after an undefined element', () => {
      const { stack, flag } = someFlag()
      const parts: (string | undefined)[] = ['a', undefined, 'b']
      flag({ name: Fn.join(' ', parts as string[]) })
      expect(saidOf(stack)).toEqual([
        '[flags/Checkout] warn: name: a list in a function ends in null or nothing, which CDKTF and CDK Terrain write for an undefined element and all after it; remove undefined elements before the call',
      ])
    })

    it('is a list of numbers that is known later', () => {
      const { stack, flag } = someFlag()
      const numbers = Token.asNumberList(new TerraformVariable(stack, 'v', { type: 'list(number)' }).value)
      flag({ name: Token.asString(Fn.max(numbers)) })
      expect(saidOf(stack)).toEqual([
        expect.stringMatching(
          /^\[flags\/Checkout\] warn: name: it contains -1\.8\d+e\+289, a placeholder for a number/,
        ),
      ])
    })

    it.each([
      ['the construct', (flag: Flag, list: unknown[]) => flag.resource.addOverride('tags', list)],
      [
        'the stack',
        (flag: Flag, list: unknown[]) =>
          flag.resource.cdktfStack.addOverride('resource.vexil_feature_flag.checkout.tags', list),
      ],
    ])('is that an override replaces a list, with an override of %s', (_, override) => {
      const { stack, flag } = someFlag()
      override(flag({ tags: ['a'] }), ['b'])
      expect(saidOf(stack)).toEqual([
        '[flags/Checkout] warn: addOverride appends to tags of the construct, and does not replace it; give the construct the whole list',
      ])
    })

    it('is no list that only the override has', () => {
      const { stack, flag } = someFlag()
      flag({}).resource.addOverride('tags', ['b'])
      expect(saidOf(stack)).toEqual([])
    })

    it('is an aspect of the app that no stack has', () => {
      const { stack } = someFlag()
      class CountAll {
        public visit(): void {}
      }
      const own = new CountAll()
      const { root } = stack.node
      Aspects.of(root).add(new CountAll())
      Aspects.of(root).add(new AddTags(['x']))
      Aspects.of(root).add(own)
      enforce(root, own)
      expect(saidOf(stack)).toEqual([
        '[flags] warn: an aspect around this stack (CountAll) is never visited; add it to the stack, or write enforce(app, aspect) after the stacks are created',
      ])
    })

    it('is the provider of another stack, which is an error', () => {
      const { stack, flag } = someFlag()
      const other = new TerraformStack(stack.node.root as App, 'other')
      flag({ provider: new VexilProvider(other, 'vexil', { projectId: '2' }) })
      expect(saidOf(stack)).toEqual([
        '[flags/Checkout] error: the provider is one of the stack "other", which this stack does not have; create a provider in this stack',
      ])
    })

    it('is a reference in JSON.stringify, which is an error at once', () => {
      const { shares, flag } = someFlag()
      const lazy = Lazy.anyValue({ produce: () => 1 })
      expect(() => flag({ name: JSON.stringify([shares.value]) })).toThrow(
        '"name" contains <unresolved-token>, which JSON.stringify writes for a reference; write Fn.jsonencode(...)',
      )
      expect(() => flag({ name: JSON.stringify([lazy]) })).toThrow('"name" contains <unresolved-lazy>')
    })
  })
}

function someFlag() {
  const stack = aStack()
  new VexilProvider(stack, 'vexil', { projectId: '1' })
  const shares = new TerraformVariable(stack, 'shares', { type: 'map(number)', default: { de: 25 } })
  const flag = (props: object) =>
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, release: [When.everyone()], ...props })
  return { stack, shares, flag }
}
