import { meantHint } from '../../../model/text/did-you-mean.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'

/** What the words of a command line name: environments first, then objects. */
export interface Chosen {
  readonly environments: readonly [string, string, ...string[]]
  /** Addresses, keys and globs; undefined where everything is meant. */
  readonly objects: readonly string[] | undefined
}

/** Tells environments from objects: two environments at least, and more of them as long as the words name some. */
export function chosenIn(words: readonly string[], known: readonly string[]): Chosen {
  const there = known.length === 0 ? 'vexil.yaml has none' : `there are: ${known.join(', ')}`
  if (known.length < 2)
    throw usage(
      known.length === 0
        ? 'vexil.yaml has no environments, and it takes two to compare; add them under `environments`'
        : `vexil.yaml has one environment, "${known[0]}", and it takes two to compare`,
    )
  const [first, second, ...rest] = words
  if (first === undefined || second === undefined) {
    const named = first === undefined ? 'no environment is named' : `only "${first}" is named`
    throw usage(`${named}, and it takes two to compare: vexil compare ${exampleOf(known, first)}`)
  }
  for (const name of [first, second])
    if (!known.includes(name))
      throw usage(`"${name}" is not an environment; ${meantHint(name, known, there)}`)
  const end = rest.findIndex(word => !known.includes(word))
  const further = end < 0 ? rest : rest.slice(0, end)
  const objects = end < 0 ? [] : rest.slice(end)
  const all = [first, second, ...further]
  const twice = all.find((name, index) => all.indexOf(name) !== index)
  if (twice !== undefined) throw usage(`"${twice}" is named twice; compare it with another environment`)
  return {
    environments: [first, second, ...further],
    objects: objects.length === 0 ? undefined : objects,
  }
}

function exampleOf(known: readonly string[], first: string | undefined): string {
  const one = first !== undefined && known.includes(first) ? first : known[0]
  return [one, known.find(name => name !== one)].join(' ')
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCode.usage)
}
