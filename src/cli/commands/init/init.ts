import { resolve } from 'node:path'
import { fromEnvironment } from '../../../api/settings.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import { starterFiles } from '../../../yaml/write/init.ts'
import { type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type OutputFlags, print } from '../../host/output/output.ts'
import { type FromLiveFlags, runInitFromLive } from './init-from-live.ts'
import { StartedFiles } from './started-files.ts'

export interface InitFlags extends FromLiveFlags, OutputFlags {
  readonly fromLive?: boolean
}

/**
 * `vexil init [DIRECTORY]`: what a repository starts with. A file that is there already is left as it is, but for the
 * schemas that editors read: they are those of this version.
 */
export async function runInit(host: Host, directory: string, flags: InitFlags): Promise<ExitCode> {
  if (flags.fromLive) return runInitFromLive(host, directory, flags)
  const root = resolve(host.directory, directory)
  const starters = starterFiles({
    environment: flags.env,
    baseUrl: flags.baseUrl ?? fromEnvironment(host.env, 'baseUrl'),
    project: flags.project ?? fromEnvironment(host.env, 'project'),
    organization: flags.organization ?? fromEnvironment(host.env, 'organization'),
  })
  const started = new StartedFiles(root)
  await started.orNothing(host.log, async () => {
    for (const starter of starters) await started.write({ ...starter, text: host.secrets.hide(starter.text) })
    return exitCode.done
  })
  const { files } = started
  const where = directory === '.' ? '' : ` -C ${shellWord(directory)}`
  await print(host, flags, { is: 'init', directory, files, next: `vexil plan${where} --sandbox` })
  return exitCode.done
}
