import { createStyle, type Style } from '../report/style.ts'
import type { Host } from './host.ts'

export interface OutputFlags {
  readonly json?: boolean
  /** commander's form of `--no-color` and `--color WHEN`. */
  readonly color?: boolean | string
}

/**
 * Colours for standard output: a flag decides first, then NO_COLOR and FORCE_COLOR (any value that is not empty),
 * then whether a terminal is there.
 */
export function commandStyle({ env, stdout }: Host, { color }: OutputFlags): Style {
  if (color === false || color === 'never') return createStyle(false)
  if (color === 'always') return createStyle(true)
  if (env.NO_COLOR) return createStyle(false)
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return createStyle(true)
  return createStyle(stdout.isTerminal && env.TERM !== 'dumb')
}
