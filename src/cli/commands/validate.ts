import { resolve } from 'node:path'
import { failedTests, redactedTests } from '../../core/declared-tests.ts'
import { dayOf } from '../../model/field.ts'
import { hasErrors, type ShownObject } from '../../model/problem.ts'
import type { ValidationDocument } from '../../report/document.ts'
import {
  byPlace,
  type DeclaredRepository,
  isDeclaredIn,
  type RepositoryOptions,
  readDeclared,
  showDeclaration,
  testRepository,
} from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { resolveAddresses } from '../plan/target-filter.ts'
import { requireProfile } from '../repository/connection.ts'
import { locateProblems } from '../repository/problems.ts'
import { learnSecrets, readsStack, sharedReadings } from '../repository/repository.ts'

/** `vexil validate`: shows all problems of all files, for each environment, without the service. */
export async function runValidate(host: Host, flags: Flags): Promise<ExitCode> {
  const document = await validationOf(host, flags)
  await print(host, flags, document)
  return document.exitCode
}

export async function validationOf(
  host: Host,
  flags: Flags,
): Promise<ValidationDocument & { readonly exitCode: ExitCode }> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const { problems, files, texts, shown } = await check(host, flags, directory)
  const code = hasErrors(problems) ? exitCode.error : exitCode.done
  const located = locateProblems(host, problems, { directory, texts })
  return { is: 'validation', exitCode: code, files, problems: located, ...(shown ? { shown } : {}) }
}

type Checked = Pick<Awaited<ReturnType<typeof testRepository>>, 'problems' | 'files' | 'texts'> &
  Pick<ValidationDocument, 'shown'>

async function check(host: Host, flags: Flags, directory: string): Promise<Checked> {
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
    const checked = await testRepository(options, sharedReadings(host))
    await learnSecrets(host, checked)
    const failed = failedTests(redactedTests(checked.tested, host.redaction))
    const located = failed.map(problem => ({ ...problem, message: checked.hide(problem.message) }))
    return { ...checked, problems: [...checked.problems, ...located].sort(byPlace) }
  }
  return showDeclared(options, flags.show)
}

async function checkStack(host: Host, flags: Flags): Promise<Checked> {
  const { testStack } = await import('../repository/test-stack.ts')
  const { problems, texts, tested } = await testStack(host, flags)
  const failed = failedTests(redactedTests(tested, host.redaction))
  return { problems: [...problems, ...failed], files: [...texts.keys()], texts }
}

/** A checked repository, with the declared values of some objects in one environment. */
export async function showDeclared(
  options: RepositoryOptions,
  wanted: readonly string[],
): Promise<DeclaredRepository & { readonly shown: readonly ShownObject[] }> {
  const repository = await readDeclared(options)
  const { declared, settings } = repository
  const names = settings.environments.map(({ name }) => name)
  const environment = options.environment ?? (names.length === 1 ? names[0] : undefined)
  if (environment === undefined && names.length > 1)
    throw new CommandError(
      `--show shows one environment; choose it with --env: ${names.join(', ')}`,
      exitCode.usage,
    )
  // An unknown environment is reported as a problem.
  if (environment !== undefined && !names.includes(environment)) return { ...repository, shown: [] }
  const place = environment === undefined ? {} : { name: environment }
  const there = declared.flatMap(({ objects }) => objects.filter(one => isDeclaredIn(one, place)))
  const addresses = there.map(({ address }) => address)
  const where = environment === undefined ? '' : ` in ${environment}`
  const unknown = { name: `is not declared${where}`, glob: `matches nothing that is declared${where}` }
  const named = new Set(wanted.flatMap(one => resolveAddresses(one, addresses, unknown)))
  const shown = there.filter(({ address }) => named.has(address)).map(one => showDeclaration(one, place))
  return { ...repository, shown }
}
