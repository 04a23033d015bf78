import { chmod } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stringify } from 'yaml'
import { git } from '../../../git/repository.ts'
import { writeFiles } from '../../folder.ts'
import type { Remote } from '../remote.ts'
import type { Runner } from '../runner.ts'

/** What became of a job that ran. */
export interface PlayedJob {
  readonly code: number
  /** What it printed, without what ran before and after it. */
  readonly log: string
  /** Its folder as it left it. */
  readonly directory: string
}

export interface Played {
  /** All that was printed. */
  readonly log: string
  /** By their names, in the order in which they ended. */
  readonly jobs: Readonly<Record<string, PlayedJob>>
  /** Somebody starts a manual job by itself, after all that. */
  start(job: string): Promise<Played>
}

export interface PipelineOptions {
  readonly runner: Runner
  readonly remote: Remote
  /** The branch or commit. */
  readonly ref: string
  /** Variables that GitLab sets for the pipeline. */
  readonly predefined: Readonly<Record<string, string>>
  /** Variables of the project by name and the environment that they are limited to. */
  readonly variables: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** A manual job that somebody starts. */
  readonly started?: string
}

const program = join(
  dirname(createRequire(import.meta.url).resolve('gitlab-ci-local/package.json')),
  'dist/index.js',
)
const polyfill = pathToFileURL(join(import.meta.dirname, 'union.mjs')).href

/** It copies work trees and artifacts with `rsync`, which few machines have: the two ways in which it does. */
const rsync = `#!/bin/bash
list=; for word in "$@"; do case "$word" in --files-from=*) list=\${word#*=};; esac; done
to=\${!#}; before=$(($# - 1)); from=\${!before}
mkdir -p "$to"
if [ -n "$list" ]; then tar -c -C "$from" -T "$list" | tar -x -C "$to"
else tar -c -C "$from" --exclude=./.gitlab-ci-local . | tar -x -C "$to"; fi
`

let pipelines = 0

/**
 * Plays a pipeline of GitLab with `gitlab-ci-local`. That parses the file, holds it to GitLab's JSON Schema, decides by
 * `rules` which jobs there are, and gives each the variables of its environment, a work tree of its own, and of other
 * jobs what they keep as artifacts.
 */
export async function playPipeline(options: PipelineOptions): Promise<Played> {
  const { runner, remote, ref, predefined, variables, started } = options
  const folder = join(runner.folder, `work/pipeline-${pipelines++}`)
  const directory = join(folder, 'clone')
  await remote.clone(directory, ref)
  const own = Object.entries(variables).map(([name, values]) => [name, { values }])
  await writeFiles(folder, {
    'variables.yml': stringify(Object.fromEntries(own)),
    'bin/rsync': rsync,
  })
  await chmod(join(folder, 'bin/rsync'), 0o755)
  const words = [
    '--force-shell-executor --shell-isolation --no-artifacts-to-source --no-color --max-job-name-padding 0 --home "$HOME"',
    `--variables-file '${join(folder, 'variables.yml')}'`,
    `--ignore-predefined-vars '${Object.keys(predefined).join(',')}'`,
    ...Object.entries(predefined).map(([name, value]) => `--variable '${name}=${value}'`),
    // The file is the same each time, and the schema is large.
    pipelines > 1 ? '--no-json-schema-validation' : '',
  ]
  const playJobs = async (which: string): Promise<Played> => {
    // Each job fetches the branches as they are by then, since `GIT_DEPTH` is 0.
    await git(directory, 'fetch', '--quiet', 'origin')
    const { log } = await runner.run(
      `PATH=${join(folder, 'bin')}:$PATH node --import ${polyfill} ${program} ${words.join(' ')} ${which}`,
      { directory, env: {} },
    )
    return { log, jobs: jobsOf(log, directory), start: playJobs }
  }
  return playJobs(started === undefined ? '' : `--manual ${started}`)
}

/** `plan finished in 2.42 s`, with ` FAIL 1` where it failed, is the line after the script of a job. */
function jobsOf(log: string, directory: string): Record<string, PlayedJob> {
  const ends = [...log.matchAll(/^(?!pipeline )(\S+) +finished in [\d.]+ \S+(?: +FAIL (\d+))?/gm)]
  const names = new Set(ends.map(([, name = '']) => name))
  return Object.fromEntries(
    [...names].map(name => {
      const code = ends.find(([, each, failed]) => each === name && failed !== undefined)?.[2] ?? 0
      const lines = log.split('\n').filter(line => line.startsWith(`${name} `))
      return [
        name,
        {
          code: Number(code),
          log: lines.join('\n'),
          directory: join(directory, '.gitlab-ci-local/builds', name),
        },
      ]
    }),
  )
}
