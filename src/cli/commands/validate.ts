import { resolve } from 'node:path'
import { hasErrors } from '../../model/problem.ts'
import { dayOf } from '../../model/tag-member.ts'
import type { ValidationDocument } from '../../report/document.ts'
import { checkRepository } from '../../yaml/index.ts'
import type { RepositoryFlags } from '../connection/repository-settings.ts'
import { requireProfile } from '../connection/resolve-connection.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type OutputFlags, print } from '../host/output.ts'
import { readsStack } from '../repository/repository.ts'
import { toldProblems } from '../repository/told-problems.ts'

/** `vexil validate`: every problem of every file, for every environment, without asking the service. */
export async function runValidate(host: Host, flags: RepositoryFlags & OutputFlags): Promise<ExitCode> {
  const document = await validationOf(host, flags)
  await print(host, flags, document)
  return document.exitCode
}

/** All that there is to say of what is declared. */
export async function validationOf(
  host: Host,
  flags: RepositoryFlags,
): Promise<ValidationDocument & { readonly exitCode: ExitCode }> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const profile = flags.profile === undefined ? undefined : requireProfile(flags.profile)
  const { problems, files, texts } = readsStack(flags)
    ? await checkStack(host, flags, directory)
    : await checkRepository({
        directory,
        environment: flags.env,
        profile,
        today: dayOf(host.runtime.now()),
        env: host.env,
      })
  const code = hasErrors(problems) ? exitCode.error : exitCode.done
  const told = toldProblems(host, problems, { directory, texts })
  return { is: 'validation', exitCode: code, files, problems: told }
}

async function checkStack(host: Host, flags: RepositoryFlags, directory: string) {
  const { readStack } = await import('../repository/stack-source.ts')
  const { problems, texts } = await readStack(host, flags, { directory })
  return { problems, files: [...texts.keys()], texts }
}
