import { definedMembers } from '../../model/text/defined-members.ts'
import type { SeveralFlags } from '../command-options.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { chooseEnvironments } from '../repository/choose-environments.ts'
import { shownValue } from '../repository/connection.ts'
import { learnSecrets } from '../repository/repository.ts'

/** `vexil envs`: lists environments, for the matrix of a pipeline. It never shows a key. */
export async function runEnvs(host: Host, flags: SeveralFlags): Promise<ExitCode> {
  const { names, settings } = await chooseEnvironments(host, flags)
  await learnSecrets(host, { settings })
  const environments = settings.environments
    .filter(({ name }) => names.includes(name))
    .map(({ name, connection: { baseUrl, project, organization, profile } }) => ({
      name,
      ...definedMembers({
        base_url: baseUrl && shownValue('baseUrl', baseUrl),
        project,
        organization,
        profile,
      }),
    }))
  await print(host, { format: flags.format }, { is: 'environment_list', names, environments })
  return exitCode.done
}
