import { flagPath, goNames } from './go.ts'
import { distinctNames, namings } from './names.ts'
import type { TypedFlag } from './typed-flag.ts'

/** A name that `vexil keys` makes of a key, as code writes it. */
export interface TypedName {
  readonly key: string
  readonly word: string
  /** What it is a member of: `flags.checkoutV2`, `Flag.CHECKOUT_V2`; undefined for a constant. */
  readonly owner?: 'flags' | 'Flag'
  /** How the files are called in which it counts. */
  readonly files: RegExp
}

/** The names of all flags in all languages. */
export function typedNames(flags: readonly TypedFlag[]): readonly TypedName[] {
  const keys = flags.map(({ key }) => key)
  const constants = goNames(flags)
  const of = (names: ReadonlyMap<string, string>, more: Omit<TypedName, 'key' | 'word'>) =>
    [...names].map(([key, word]) => ({ key, word, ...more }))
  return [
    ...of(distinctNames(keys, namings.camel), {
      owner: 'flags',
      files: /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)$/i,
    }),
    ...of(distinctNames(keys, namings.upper), { owner: 'Flag', files: /\.pyi?$/i }),
    ...keys.map(key => ({ key, word: constants.get(flagPath(key)) ?? key, files: /\.go$/i })),
  ]
}
