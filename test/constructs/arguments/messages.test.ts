import { Fn, TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import {
  EventDefinition,
  Flag,
  MaxRollout,
  Plugin,
  Role,
  Variants,
  When,
} from '../../../src/constructs/own-constructs.ts'
import { aStack } from '../a-stack.ts'

const known = 'use a value that is known during synthesis'

/** What is said to somebody who gives this. */
function said(give: (variable: TerraformVariable, stack: ReturnType<typeof aStack>) => unknown): string {
  const stack = aStack()
  try {
    give(new TerraformVariable(stack, 'v', {}), stack)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing'
}

describe('an argument that is refused is named, with what to do', () => {
  it.each<[string, Parameters<typeof said>[0], string]>([
    ['text for a number', () => When.everyone().at('25' as never), '"at" is "25", not a number'],
    [
      'a list for a number',
      ({ listValue }) => When.everyone().at(listValue as never),
      '"at" is a reference to a list, not a number',
    ],
    ['nothing', () => When.everyone().serve(undefined as never), '"serve" is nothing, not a text'],
    [
      'a text that was changed',
      ({ stringValue }, stack) => new Flag(stack, 'X', { key: stringValue.toLowerCase() }),
      'flag a part of a reference at "flags/X": "key" contains "tftoken[token.0]}", which was a reference before its text ' +
        'was changed; use the reference unchanged, or let Terraform change it: Fn.lower(...), Fn.replace(...), Fn.join(...)',
    ],
    [
      'a number in a text',
      ({ numberValue }, stack) => new Flag(stack, 'X', { key: 'x', name: `v${numberValue}` }),
      'flag "x" at "flags/X": "name" contains -8.1…e+298, a placeholder for a number that is known later, which became text too early; ' +
        'write Token.asString(number) in the text',
    ],
    [
      'a number that was computed with',
      ({ numberValue }) => When.everyone().at(numberValue / 2),
      '"at" was a reference before a calculation or before it was taken from a list; use the reference unchanged, or let ' +
        'Terraform calculate: Token.asNumber(Op.mul(number, 2))',
    ],
    [
      'a list with more in it',
      ({ listValue }, stack) => new Flag(stack, 'X', { key: 'x', tags: [...listValue, 'x'] }),
      'flag "x" at "flags/X": "tags[0]" stands for a whole list; use the list alone, or let Terraform join lists: ' +
        'Fn.concat([list, ["more"]])',
    ],
    [
      'a part of a reference, deep in JSON',
      ({ stringValue }, stack) =>
        new Flag(stack, 'X', { key: 'x', release: [], payload: { a: [{ b: stringValue.toUpperCase() }] } }),
      'flag "x" at "flags/X": "payload.a[0].b" contains "TFTOKEN[TOKEN.0]}", which was a reference before its text was changed; ' +
        'use the reference unchanged, or let Terraform change it: Fn.lower(...), Fn.replace(...), Fn.join(...)',
    ],
    [
      'conditions as a reference',
      ({ value }, stack) => new Flag(stack, 'X', { key: 'x', release: value }),
      'flag "x" at "flags/X": "release" is known only in a plan; pass it to the generated construct: ' +
        'flag.resource.putRelease(...)',
    ],
    [
      'one condition as a reference',
      ({ value }, stack) => new Flag(stack, 'X', { key: 'x', release: [value] }),
      'flag "x" at "flags/X": "release[0]" is known only in a plan; pass it to the generated construct: ' +
        'flag.resource.putRelease(...)',
    ],
    [
      'roles as a reference',
      ({ value }, stack) => new Flag(stack, 'X', { key: 'x', editors: value }),
      'flag "x" at "flags/X": "editors" is known only in a plan; write each role as ' +
        'Role.fromName(scope, name) or Role.fromId(id, name)',
    ],
    [
      'a protection that is a reference',
      ({ value }, stack) => new Flag(stack, 'X', { key: 'x', protect: value }),
      `flag "x" at "flags/X": "protect" is known only in a plan; ${known}`,
    ],
    [
      'a property that there is none of',
      (_, stack) => new Flag(stack, 'X', { key: 'x', realease: [] } as never),
      'flag "x" at "flags/X": "realease" is not a property of a flag; did you mean "release"?',
    ],
    [
      'a rule of a lifecycle that there is none of',
      (_, stack) => new Flag(stack, 'X', { key: 'x', lifecycle: { preventDestory: true } } as never),
      'flag "x" at "flags/X": "lifecycle.preventDestory" is not a property of a lifecycle; did you mean "preventDestroy"?',
    ],
    [
      'a construct where a resource belongs',
      (_, stack) =>
        new Plugin(stack, 'X', { name: 'x', dependsOn: [new Flag(stack, 'Y', { key: 'y' })] } as never),
      'plugin "x" at "flags/X": "dependsOn[0]" is an object of the class Flag, not a resource; for a construct of Vexil, use `flag.resource`' +
        '',
    ],
    [
      'a promise of changes to ignore',
      (_, stack) =>
        new Flag(stack, 'X', { key: 'x', lifecycle: { ignoreChanges: Promise.resolve(['tags']) as never } }),
      'flag "x" at "flags/X": "lifecycle.ignoreChanges" is an object of the class Promise, not a list',
    ],
    [
      'a number among the changes to ignore',
      (_, stack) => new Flag(stack, 'X', { key: 'x', lifecycle: { ignoreChanges: ['tags', 1 as never] } }),
      'flag "x" at "flags/X": "lifecycle.ignoreChanges[1]" is 1, not a text, a resource or a condition',
    ],
    [
      'a way of letting go that is none',
      (_, stack) => new EventDefinition(stack, 'X', { name: 'x', onDestroy: 'forgte' as never }),
      'event "x" at "flags/X": "onDestroy" cannot be "forgte"; did you mean "forget"?',
    ],
    [
      'a rule that blocks nothing, behind a reference',
      ({ value }, stack) => new Plugin(stack, 'X', { name: 'x', allow: [value, 'survey' as never] }),
      'plugin "x" at "flags/X": "allow[1]": "survey" is not a rule that blocks a plugin (use "source_unreadable")',
    ],
    [
      'the name of a role',
      ({ stringValue }) => Role.fromId(stringValue, stringValue),
      `"the name of a role" is known only in a plan; ${known}`,
    ],
    ['a ceiling', () => new MaxRollout(Fn.abs(-5)), `"ceiling" is known only in a plan; ${known}`],
    ['a share of a variant', () => Variants.of({ a: true as never }), '"shares.a" is true, not a number'],
    [
      'a share in a variant',
      () => Variants.of({ a: { share: '5' as never } }),
      '"shares.a.share" is "5", not a number',
    ],
    ['a variant without a share', () => Variants.of({ a: {} as never }), '"shares.a.share" is missing'],
    [
      'a variant in order without a key',
      () => Variants.inOrder({ key: 'a', share: 50 }, { share: 50 } as never),
      '"variants[1].key" is missing',
    ],
    [
      'a rule of a lifecycle',
      (_, stack) => new Flag(stack, 'X', { key: 'x', lifecycle: { preventDestroy: 'no' as never } }),
      'flag "x" at "flags/X": "lifecycle.preventDestroy" is "no", not true or false',
    ],
    [
      'the id of a construct',
      ({ stringValue }, stack) => new Flag(stack, stringValue, { key: 'x' }),
      '"flags": a construct here has an id that is not known during synthesis; use an id that is',
    ],
  ])('%s', (_, give, message) => {
    // The engine numbers its marks over all tests of a process, and a long number leaves less room for what follows it.
    const words = said(give)
      .replace(/TOKEN\.\d+/gi, found => `${found.slice(0, 6)}0`)
      .replace(/(tftoken\[token\.0\])\}?"/i, '$1}"')
    expect(words.replace(/-8\.1\d+e\+298/, '-8.1…e+298')).toBe(message)
  })
})
