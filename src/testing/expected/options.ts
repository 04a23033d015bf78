import { meantHint } from '../../model/text/did-you-mean.ts'
import { requireKnown } from '../require-known.ts'

/** Which of several stacks of an app is looked at, and how often something has to be there. */
export interface BlockOptions {
  /** How many there have to be: no more and no fewer. At least one when left out. */
  readonly times?: number
  /** The name of one stack; all of them when left out. */
  readonly stack?: string
}

/** Reads them; an unknown one is refused, since it would change nothing without a word. */
export function blockOptions(options: BlockOptions): BlockOptions {
  return readOptions(options, ['times', 'stack'])
}

/** Options whose names are among these. */
export function readOptions<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  requireKnown(options, 'options')
  const unknown = Object.keys(options).find(name => !(names as readonly string[]).includes(name))
  if (unknown === undefined) return options
  throw new Error(
    `there is no option "${unknown}"; ${meantHint(unknown, names, `there are ${names.join(', ')}`)}`,
  )
}
