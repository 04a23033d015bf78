import type { PlanFlags } from './commands/plan.ts'

/** The apply that does what a plan has shown: the same place, the same choice, or the saved plan. */
export function nextApply(flags: PlanFlags): string {
  const { out } = flags
  const value = (flag: string, given: string | undefined) => (given === undefined ? [] : [flag, given])
  const each = (flag: string, given: readonly string[] = []) => given.flatMap(one => [flag, one])
  const words = [
    'vexil',
    'apply',
    ...(out === undefined ? [] : [out]),
    ...value('-C', flags.chdir === '.' ? undefined : flags.chdir),
    ...value('--env', flags.env),
    ...value('--base-url', flags.baseUrl),
    ...value('--project', flags.project),
    ...value('--organization', flags.organization),
    ...value('--profile', flags.profile),
    ...(flags.sandbox ? ['--sandbox'] : []),
    // A saved plan has these in it already.
    ...(out === undefined
      ? [...each('--target', flags.target), ...each('--allow', flags.allow), ...value('--prune', flags.prune)]
      : []),
  ]
  return words.map(shellWord).join(' ')
}

/** A word as it has to be typed into a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
