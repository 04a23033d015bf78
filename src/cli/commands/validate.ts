import { resolve } from 'node:path'
import { checkRepository } from '../../declare/index.ts'
import { hasErrors } from '../../model/problem.ts'
import { jsonText } from '../../report/json-text.ts'
import { counted } from '../../report/names.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { failureHead, withoutSeverity } from '../failure.ts'
import type { Host } from '../host.ts'
import type { OutputFlags } from '../output.ts'
import type { RepositoryFlags } from '../repository/repository-settings.ts'
import { readsStack } from '../repository.ts'
import { annotate, mistakes, showProblems } from '../show-problems.ts'

/** `vexil validate`: every mistake of every file, for every environment, without asking the service. */
export async function runValidate(host: Host, flags: RepositoryFlags & OutputFlags): Promise<ExitCode> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const { problems, files, texts } = readsStack(flags)
    ? await checkStack(host, flags, directory)
    : await checkRepository({ directory, environment: flags.env, env: host.env })
  const code = hasErrors(problems) ? exitCode.error : exitCode.done
  if (flags.json) {
    const errors = problems.filter(({ severity }) => severity === 'error').map(withoutSeverity)
    host.stdout.write(`${jsonText({ ...failureHead(code), files, problems, errors }, 2)}\n`)
    annotate(host, problems, { directory })
  } else {
    showProblems(host, problems, { directory, texts })
    const verdict = problems.length === 0 ? 'no mistakes' : mistakes(problems)
    host.stdout.write(`${counted(files.length, 'file')} checked: ${verdict}\n`)
  }
  return code
}

async function checkStack(host: Host, flags: RepositoryFlags, directory: string) {
  const { readStack } = await import('../stack-source.ts')
  const { problems, file, texts } = await readStack(host, flags, { directory })
  return { problems, files: [file], texts }
}
