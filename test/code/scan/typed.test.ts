import { describe, expect, it } from 'vitest'
import { CodeScanner } from '../../../src/code/code-scanner.ts'
import { typedNames } from '../../../src/code/typed-languages.ts'

const plain = { variants: [], payloads: [], schemas: [] }
const flags = ['checkout', 'checkout_v2', 'dark-mode'].map(key => ({ key, ...plain }))
const keys = flags.map(({ key }) => key)

function scanned(name: string, text: string): string[] {
  const { references, unknown } = new CodeScanner(keys, typedNames(flags)).scan(name, Buffer.from(text))
  return [
    ...references.map(({ line, column, kind, call, key }) => `${line}:${column} ${call ?? kind} ${key}`),
    ...unknown.map(({ line, column, call, key }) => `?${line}:${column} ${call} ${key}`),
  ]
}

describe('a typed key', () => {
  it.each([
    [
      'a member',
      'a.ts',
      "import { flags } from './flags'\nisFeatureEnabled(flags.checkoutV2)",
      ['2:24 typed checkout_v2'],
    ],
    ['a member by its text', 'a.tsx', "flags['darkMode']", ['1:8 typed dark-mode']],
    ['another name', 'a.ts', "import { flags as f } from './flags'\nf.darkMode", ['2:3 typed dark-mode']],
    [
      'a whole module',
      'a.js',
      "const keys = require('./flags')\nkeys.flags?.darkMode",
      ['2:13 typed dark-mode'],
    ],
    [
      'names of its own',
      'a.ts',
      'const { darkMode, checkout: c } = flags',
      ['1:9 typed dark-mode', '1:19 typed checkout'],
    ],
    ['a member of something else', 'a.ts', 'flags.a; cart.checkout; theme.darkMode', []],
    ['a name without an owner', 'a.ts', 'darkMode(checkout)', []],
    [
      'Python',
      'a.py',
      'posthog.feature_enabled(Flag.CHECKOUT_V2, id)\nFlag["DARK_MODE"]',
      ['1:30 typed checkout_v2', '2:7 typed dark-mode'],
    ],
    ['Python, another name', 'a.py', 'from keys import Flag as F\nF.CHECKOUT', ['2:3 typed checkout']],
    ['Go', 'a.go', 'Key: string(flags.FlagCheckoutV2)', ['1:19 typed checkout_v2']],
    ['Go in another language', 'a.ts', 'flags.FlagCheckoutV2', []],
  ])('is found: %s', (_, name, text, found) => {
    expect(scanned(name, text)).toEqual(found)
  })

  it('leaves places right where a call is told before what is in it', () => {
    const text = 'c.IsFeatureEnabled(P{DistinctId: "checkout", Key: "chekout"}); "dark-mode"'
    expect(scanned('a.go', text)).toEqual([
      '1:35 string checkout',
      '1:65 string dark-mode',
      '?1:52 IsFeatureEnabled chekout',
    ])
  })
})
