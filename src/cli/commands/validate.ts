import { resolve } from 'node:path'
import { failedTests } from '../../core/tests/failed-tests.ts'
import { redactedTests } from '../../core/tests/redacted-tests.ts'
import { hasErrors } from '../../model/problem.ts'
import { dayOf } from '../../model/tag-member.ts'
import type { ValidationDocument } from '../../report/document.ts'
import { byPlace, testRepository } from '../../yaml/index.ts'
import type { RepositoryFlags } from '../connection/repository-settings.ts'
import { requireProfile } from '../connection/resolve-connection.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type OutputFlags, print } from '../host/output/output.ts'
import { learnSecrets, readsStack } from '../repository/repository.ts'
import { toldProblems } from '../repository/told-problems.ts'

export interface ValidateFlags extends RepositoryFlags {
  /** Objects to show: addresses, keys and globs. */
  readonly show?: readonly string[]
}

/** `vexil validate`: every problem of every file, for every environment, without asking the service. */
export async function runValidate(host: Host, flags: ValidateFlags & OutputFlags): Promise<ExitCode> {
  const document = await validationOf(host, flags)
  await print(host, flags, document)
  return document.exitCode
}

/** All that there is to say of what is declared. */
export async function validationOf(
  host: Host,
  flags: ValidateFlags,
): Promise<ValidationDocument & { readonly exitCode: ExitCode }> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const { problems, files, texts, shown } = await check(host, flags, directory)
  const code = hasErrors(problems) ? exitCode.error : exitCode.done
  const told = toldProblems(host, problems, { directory, texts })
  return { is: 'validation', exitCode: code, files, problems: told, ...(shown ? { shown } : {}) }
}

type Checked = Pick<Awaited<ReturnType<typeof testRepository>>, 'problems' | 'files' | 'texts'> &
  Pick<ValidationDocument, 'shown'>

async function check(host: Host, flags: ValidateFlags, directory: string): Promise<Checked> {
  const profile = flags.profile === undefined ? undefined : requireProfile(flags.profile)
  const now = host.runtime.now()
  const place = { directory, environment: flags.env, profile, env: host.env }
  const options = { ...place, today: dayOf(now), testedAt: now }
  if (readsStack(flags)) {
    if (flags.show !== undefined)
      throw new CommandError('--show is for YAML: a stack has no overrides to show', exitCode.usage)
    return checkStack(host, flags)
  }
  if (flags.show === undefined) {
    const checked = await testRepository(options)
    await learnSecrets(host, checked)
    const failed = failedTests(redactedTests(checked.tested, host.redaction))
    const told = failed.map(problem => ({ ...problem, message: checked.hide(problem.message) }))
    return { ...checked, problems: [...checked.problems, ...told].sort(byPlace) }
  }
  // Nothing else needs what finds addresses.
  const { showDeclared } = await import('./show-declared.ts')
  return showDeclared(options, flags.show)
}

async function checkStack(host: Host, flags: RepositoryFlags): Promise<Checked> {
  const { testStack } = await import('../repository/test-stack.ts')
  const { problems, texts, tested } = await testStack(host, flags)
  const failed = failedTests(redactedTests(tested, host.redaction))
  return { problems: [...problems, ...failed], files: [...texts.keys()], texts }
}
