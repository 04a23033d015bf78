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
export function commandStyle(host: Host, flags: OutputFlags): Style {
  const isColourful = wantsColours(host, flags)
  if (isColourful) {
    host.stdout.allowColours()
    host.stderr.allowColours()
  }
  return createStyle(isColourful)
}

function wantsColours({ env, stdout }: Host, { color }: OutputFlags): boolean {
  if (color === false || color === 'never') return false
  if (color === 'always') return true
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true
  return stdout.isTerminal && env.TERM !== 'dumb'
}
