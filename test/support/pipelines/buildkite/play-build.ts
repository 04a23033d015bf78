import { chmod, cp, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { globSync } from 'tinyglobby'
import { parseDocument } from 'yaml'
import { writeFiles } from '../../folder.ts'
import type { Remote } from '../remote.ts'
import type { Ran, Runner } from '../runner.ts'

/** A call of `buildkite-agent`: its words, and what it read. */
export interface AgentCall {
  readonly words: string
  readonly input: string
}

export interface Build {
  readonly runner: Runner
  readonly remote: Remote
  /** The branch or commit. */
  readonly ref: string
  /** What `if` of a step may name. */
  readonly conditions: {
    readonly build: {
      readonly source: 'webhook' | 'schedule'
      readonly branch: string
      readonly pull_request: {
        readonly id: string | null
        readonly repository: { readonly fork: boolean | null }
      }
    }
    readonly pipeline: { readonly default_branch: string }
  }
  /** Secrets that their policies give to this build. */
  readonly secrets: Readonly<Record<string, string>>
  /** What happens before somebody lets the build go on at a block; nobody does without it. */
  readonly beforeUnblock?: () => Promise<unknown>
}

export interface PlayedBuild {
  /** By the keys of steps that ran. */
  readonly ran: Readonly<Record<string, Ran>>
  readonly calls: readonly AgentCall[]
  /** Has `artifacts` of each step. */
  readonly folder: string
}

interface Step {
  readonly key: string
  readonly if?: string
  readonly depends_on?: string
  readonly block?: string
  readonly command?: string | readonly string[]
  readonly artifact_paths?: readonly string[]
}

/** What the agent program does of what pipelines may ask of it; anything else is refused. */
const agent = `#!/bin/bash
shopt -s extglob
at="$AGENT_FOLDER/calls/$(ls "$AGENT_FOLDER/calls" | wc -l)"
mkdir -p "$at" && echo "$*" > "$at/words" && : > "$at/input"
case "$*" in
  "secret get "[A-Z]*) cat "$AGENT_FOLDER/secrets/$3" 2> /dev/null || { echo "secret $3 is not for this build" >&2; exit 1; } ;;
  "annotate --context vexil-"[a-z]*" --style "@(info|success|warning|error)) cat > "$at/input"; [ -s "$at/input" ] ;;
  "artifact download "*" . --step "*) mkdir -p "$4/$(dirname "$3")" && cp "$AGENT_FOLDER/artifacts/$6/$3" "$4/$3" ;;
  *) echo "buildkite-agent is not known to do this: $*" >&2; exit 1 ;;
esac
`

let builds = 0

/** Plays a build of Buildkite: each step in a clone of its own, with bash, as an agent does. */
export async function playBuild(given: Build): Promise<PlayedBuild> {
  // A build is of one commit, whatever becomes of the branch.
  const build = { ...given, ref: await given.remote.git('rev-parse', given.ref) }
  const folder = join(build.runner.folder, `work/build-${builds++}`)
  const secrets = Object.entries(build.secrets).map(([name, value]) => [`secrets/${name}`, value])
  await writeFiles(folder, {
    'bin/buildkite-agent': agent,
    'calls/.keep': '',
    ...Object.fromEntries(secrets),
  })
  await chmod(join(folder, 'bin/buildkite-agent'), 0o755)
  await build.remote.clone(join(folder, 'upload'), build.ref)
  const text = await readFile(join(folder, 'upload/.buildkite/pipeline.yml'), 'utf8')
  const document = parseDocument(uploaded(text))
  if (document.errors.length > 0) throw document.errors[0]
  const { steps } = document.toJS() as { readonly steps: readonly Step[] }

  const ran: Record<string, Ran> = {}
  for (const step of steps) {
    if (step.if !== undefined && runInNewContext(step.if, build.conditions) !== true) continue
    if (step.depends_on !== undefined && ran[step.depends_on]?.code !== 0) continue
    if (step.block !== undefined) {
      if (build.beforeUnblock === undefined) break
      await build.beforeUnblock()
      ran[step.key] = { code: 0, log: '' }
    } else ran[step.key] = await playStep(build, step, folder)
  }
  return { ran, calls: await callsOf(folder), folder }
}

/** As `pipeline upload` takes a file: `$$` is for the shell, and any other `$` would be replaced there and then. */
function uploaded(text: string): string {
  const own = text.replaceAll(/^ *#.*$/gm, '').replaceAll('$$', '\0')
  if (own.includes('$')) throw new Error('the agent replaces a single "$" when it uploads the pipeline')
  return own.replaceAll('\0', '$')
}

async function playStep({ runner, remote, ref }: Build, step: Step, folder: string): Promise<Ran> {
  const directory = join(folder, step.key)
  await remote.clone(directory, ref)
  const commands = [step.command ?? []].flat().join('\n')
  const ran = await runner.run(`PATH="${join(folder, 'bin')}:$PATH"\n${commands}`, {
    directory,
    env: { BUILDKITE: 'true', CI: 'true', AGENT_FOLDER: folder },
  })
  for (const pattern of step.artifact_paths ?? []) {
    for (const path of globSync(pattern, { cwd: directory, dot: true })) {
      const kept = join(folder, 'artifacts', step.key, path)
      await mkdir(dirname(kept), { recursive: true })
      await cp(join(directory, path), kept)
    }
  }
  return ran
}

async function callsOf(folder: string): Promise<readonly AgentCall[]> {
  const found = globSync('calls/*/words', { cwd: folder }).sort(
    (one, other) => Number(one.split('/')[1]) - Number(other.split('/')[1]),
  )
  return Promise.all(
    found.map(async path => ({
      words: (await readFile(join(folder, path), 'utf8')).trim(),
      input: await readFile(join(folder, path, '../input'), 'utf8'),
    })),
  )
}
