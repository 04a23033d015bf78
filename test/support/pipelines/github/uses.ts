import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { git } from '../../../git/repository.ts'
import type { Ran } from '../runner.ts'
import { repository } from './github-host.ts'
import type { Playing } from './play.ts'

/** What a stand-in of somebody else's action gets: what stands at `with`. */
type Given = Readonly<Record<string, string>>

type StandIn = (given: Given, playing: Playing) => Promise<Ran>

/** The actions of GitHub that the workflows use: each does here what its page says, with folders. */
export const standIns: Readonly<Record<string, StandIn>> = {
  'actions/checkout@v4': checkout,
  'actions/setup-node@v4': setUpNode,
  'actions/upload-artifact@v4': uploadArtifact,
  'actions/download-artifact@v4': downloadArtifact,
  'github/codeql-action/upload-sarif@v4': uploadSarif,
}

const inputs: Readonly<Record<string, readonly string[]>> = {
  checkout: ['fetch-depth', 'persist-credentials'],
  'setup-node': ['node-version', 'cache'],
  'upload-artifact': ['name', 'path', 'if-no-files-found', 'include-hidden-files'],
  'download-artifact': ['name', 'path', 'run-id', 'github-token'],
  'upload-sarif': ['sarif_file', 'category'],
}

/** Throws for an input that the stand-in does nothing with. */
export function requireInputs(uses: string, given: Given): void {
  const allowed = inputs[/\/([\w-]+)@/.exec(uses)?.[1] ?? ''] ?? []
  const other = Object.keys(given).filter(name => !allowed.includes(name))
  if (other.length > 0) throw new Error(`${uses}: ${other.join(', ')} is not played here`)
}

async function checkout(given: Given, { world, workspace, event, permissions }: Playing): Promise<Ran> {
  if (!permissions.contents) return failed('fatal: repository not found')
  if (given['fetch-depth'] !== '0' && given['persist-credentials'] !== 'false')
    throw new Error('only whole clones are played, or those that ask for nothing more')
  await world.remote.clone(workspace, event.sha)
  if (event.ref === 'refs/heads/main') {
    await git(workspace, 'checkout', '--quiet', '-B', 'main', event.sha)
    await git(workspace, 'branch', '--quiet', '--set-upstream-to', 'origin/main')
  }
  const isLeft = given['persist-credentials'] !== 'false'
  // Without a credential nothing more is fetched from a private repository, and only `write` pushes.
  if (!isLeft) await git(workspace, 'remote', 'set-url', 'origin', 'file:///no-credentials')
  else if (permissions.contents !== 'write')
    await git(workspace, 'remote', 'set-url', '--push', 'origin', 'file:///no-leave-to-push')
  return { code: 0, log: `HEAD is now at ${event.sha}\n` }
}

async function setUpNode(given: Given, { workspace }: Playing): Promise<Ran> {
  if (given.cache === 'npm' && (await readdir(workspace)).every(name => name !== 'package-lock.json'))
    return failed('Dependencies lock file is not found')
  return { code: 0, log: `node ${given['node-version']}\n` }
}

async function uploadArtifact(given: Given, { world, workspace, run, event }: Playing): Promise<Ran> {
  const files: Record<string, Uint8Array> = {}
  const path = resolve(workspace, given.path ?? '')
  const hidden = given['include-hidden-files'] === 'true'
  for (const file of await filesIn(path)) {
    const name = relative((await stat(path)).isDirectory() ? path : dirname(path), file)
    if (hidden || !relative(workspace, file).startsWith('.vexil')) files[name] = await readFile(file)
  }
  if (Object.keys(files).length === 0)
    return given['if-no-files-found'] === 'ignore'
      ? { code: 0, log: 'no files\n' }
      : { code: 0, log: `::warning::No files were found with the provided path: ${given.path}\n` }
  const { artifacts } = world.host
  const name = given.name ?? ''
  if (artifacts.some(each => each.name === name && each.workflow_run.id === run))
    return failed(`an artifact with the name ${name} already exists on the workflow run`)
  artifacts.push({
    id: artifacts.length + 1,
    name,
    expired: false,
    workflow_run: {
      id: run,
      repository_id: event.repositoryId,
      head_repository_id: event.headRepositoryId,
      head_sha: event.headSha,
    },
    files,
  })
  return { code: 0, log: `Artifact ${name} has ${Object.keys(files).join(', ')}\n` }
}

async function downloadArtifact(given: Given, playing: Playing): Promise<Ran> {
  const { world, workspace, run, permissions } = playing
  const from = given['run-id'] === undefined ? run : Number(given['run-id'])
  if (from !== run && !(permissions.actions && given['github-token']))
    return failed('Resource not accessible by integration')
  const found = world.host.artifacts.find(
    each => each.name === given.name && each.workflow_run.id === from && !each.expired,
  )
  if (found === undefined) return failed(`Artifact not found for name: ${given.name}`)
  const folder = resolve(workspace, given.path ?? '.')
  for (const [name, content] of Object.entries(found.files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return { code: 0, log: `Artifact ${given.name} is in ${folder}\n` }
}

/** Asks as the action does, https://docs.github.com/rest/code-scanning: with the token of the job. */
async function uploadSarif(given: Given, { world, workspace, event, permissions }: Playing): Promise<Ran> {
  const sarif = JSON.parse(await readFile(resolve(workspace, given.sarif_file ?? ''), 'utf8'))
  for (const run of sarif.runs) run.automationDetails = { id: `${given.category}/` }
  const answer = await fetch(`${world.host.url}/repos/${repository}/code-scanning/sarifs`, {
    method: 'POST',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${world.host.tokenFor(permissions)}`,
      'user-agent': 'codeql-action',
      'x-github-api-version': '2022-11-28',
    },
    body: JSON.stringify({
      commit_sha: event.sha,
      ref: event.ref,
      sarif: gzipSync(JSON.stringify(sarif)).toString('base64'),
    }),
  })
  return answer.ok ? { code: 0, log: 'Analysis upload is complete\n' } : failed(await answer.text())
}

async function filesIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

function failed(said: string): Ran {
  return { code: 1, log: `::error::${said}\n` }
}
