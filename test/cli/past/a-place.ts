import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { commitAll, git, gitEnv } from '../../git/repository.ts'
import { cli } from '../../support/cli.ts'
import { type Files, folderOfTest, writeFiles } from '../../support/folder.ts'
import { type Service, startService } from '../../support/service.ts'

/** A repository of declarations under git, and a service that they are for. */
export interface Place {
  readonly folder: string
  readonly service: Service
  /** Writes files and commits them; answers with the commit. */
  commit(files: Files): Promise<string>
  /** Runs a command line in the repository. */
  run(line: string, directory?: string): ReturnType<typeof cli>
}

/** Both, gone when the test is over; `files` are the first commit. */
export async function placeOfTest(files: Files): Promise<Place> {
  const service = await startService()
  onTestFinished(service.close)
  const folder = await folderOfTest({ '.gitignore': '.vexil/\n', 'vexil.yaml': 'version: 1\n', ...files })
  await commitAll(folder)
  return {
    folder,
    service,
    async commit(changed) {
      await writeFiles(folder, changed)
      await git(folder, 'add', '--all')
      await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Change')
      return git(folder, 'rev-parse', 'HEAD')
    },
    run: (line, directory = folder) => cli(line, { directory, env: { ...service.env, ...gitEnv } }),
  }
}

/** A file with one flag that a share of everybody gets. */
export function flagFile(key: string, percent: number): Files {
  const text = `feature_flags:\n  ${key}:\n    active: true\n    filters: { groups: [{ rollout_percentage: ${percent} }] }\n`
  return { [join('flags', `${key}.yaml`)]: text }
}
