import { gunzipSync } from 'node:zlib'
import { aCodeHost, type CodeHost, type HostAnswer, type HostRequest } from '../code-host.ts'
import type { Permissions } from './workflow.ts'

export interface Comment {
  readonly id: number
  readonly issue: number
  readonly user: { readonly login: string }
  body: string
}

/** An issue, or what GitHub has of a pull request among its issues. */
export interface Issue {
  readonly number: number
  readonly user: { readonly login: string }
  readonly pull_request?: object
  title: string
  body: string
  state: 'open' | 'closed'
}

/** Files that a run has kept, by their paths. */
export interface Artifact {
  readonly id: number
  readonly name: string
  readonly expired: boolean
  readonly workflow_run: {
    readonly id: number
    readonly repository_id: number
    readonly head_repository_id: number
    readonly head_sha: string
  }
  readonly files: Readonly<Record<string, Uint8Array>>
}

export interface Pull {
  readonly number: number
  readonly head: { readonly sha: string; readonly repo: { readonly id: number; readonly full_name: string } }
  readonly merge_commit_sha: string | null
  readonly merged_at: string | null
}

/** Findings that code scanning was given. */
export interface Scan {
  readonly commit_sha: string
  readonly ref: string
  readonly sarif: {
    readonly version: string
    readonly runs: readonly {
      readonly automationDetails: { readonly id: string }
      readonly results: readonly unknown[]
    }[]
  }
}

/** The part of GitHub that the action may ask, with what is in it. */
export interface GitHubHost extends CodeHost {
  readonly comments: Comment[]
  readonly issues: Issue[]
  readonly artifacts: Artifact[]
  readonly pulls: Pull[]
  readonly scans: Scan[]
  /** A token that a job gets: it does what these permissions say and nothing else. */
  tokenFor(permissions: Permissions): string
}

export const repository = 'shop/flags'
export const repositoryId = 7
export const bot = 'github-actions[bot]'

/** Few, so that whatever reads a list reads several pages. */
const pageSize = 2
/** https://docs.github.com/rest/issues/comments */
const mostCharacters = 65_536

const [root, inRepository] = ['/repos/shop/flags', '/repos/:owner/:repo']
const notFound: HostAnswer = { status: 404, body: { message: 'Not Found' } }
const refused: HostAnswer = { status: 403, body: { message: 'Resource not accessible by integration' } }

export async function aGitHubHost(): Promise<GitHubHost> {
  const tokens = new Map<string, Permissions>()
  const comments: Comment[] = []
  const issues: Issue[] = []
  const artifacts: Artifact[] = []
  const pulls: Pull[] = []
  const scans: Scan[] = []
  let nextId = 100

  const may = (request: HostRequest, ...any: readonly string[]) => {
    const held = tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '') ?? {}
    const needed = request.method === 'GET' ? ['read', 'write'] : ['write']
    return any.some(name => needed.includes(held[name] ?? 'none'))
  }
  /** Of comments and issues GitHub asks for either, a pull request is an issue too. */
  const onIssues = (answer: (request: HostRequest) => HostAnswer) => (request: HostRequest) =>
    may(request, 'issues', 'pull-requests') ? answer(request) : refused
  const withText = (request: HostRequest, done: (sent: Record<string, string>) => HostAnswer) => {
    const sent = request.body as Record<string, string>
    return (sent.body ?? '').length > mostCharacters ? tooLong : done(sent)
  }

  const host = await aCodeHost(
    {
      [`GET ${inRepository}/issues/:number/comments`]: onIssues(request =>
        page(
          request,
          comments.filter(({ issue }) => issue === Number(request.params.number)),
        ),
      ),
      [`POST ${inRepository}/issues/:number/comments`]: onIssues(request =>
        withText(request, ({ body = '' }) => {
          const comment = {
            id: nextId++,
            issue: Number(request.params.number),
            user: { login: bot },
            body,
          }
          comments.push(comment)
          return { status: 201, body: comment }
        }),
      ),
      [`PATCH ${inRepository}/issues/comments/:id`]: onIssues(request =>
        withText(request, ({ body = '' }) => {
          const comment = comments.find(({ id }) => id === Number(request.params.id))
          if (comment === undefined) return notFound
          comment.body = body
          return { status: 200, body: comment }
        }),
      ),
      [`DELETE ${inRepository}/issues/comments/:id`]: onIssues(request => {
        const at = comments.findIndex(({ id }) => id === Number(request.params.id))
        if (at < 0) return notFound
        comments.splice(at, 1)
        return { status: 204 }
      }),
      [`GET ${inRepository}/issues`]: onIssues(request =>
        page(
          request,
          issues.filter(({ state }) => state === request.query.state),
        ),
      ),
      [`POST ${inRepository}/issues`]: request =>
        may(request, 'issues')
          ? withText(request, ({ title = '', body = '' }) => {
              const issue: Issue = { number: nextId++, user: { login: bot }, title, body, state: 'open' }
              issues.push(issue)
              return { status: 201, body: issue }
            })
          : refused,
      [`PATCH ${inRepository}/issues/:number`]: request =>
        may(request, 'issues')
          ? withText(request, ({ state_reason: _, ...sent }) => {
              const issue = issues.find(({ number }) => number === Number(request.params.number))
              if (issue === undefined) return notFound
              return { status: 200, body: Object.assign(issue, sent) }
            })
          : refused,
      [`GET ${inRepository}/commits/:sha/pulls`]: request =>
        may(request, 'pull-requests')
          ? page(
              request,
              pulls.filter(pull => pull.merge_commit_sha === request.params.sha),
            )
          : refused,
      [`GET ${inRepository}/actions/artifacts`]: request =>
        may(request, 'actions')
          ? page(
              request,
              artifacts
                .filter(({ name }) => name === request.query.name)
                .map(({ files: _, ...told }) => told),
              'artifacts',
            )
          : refused,
      [`POST ${inRepository}/code-scanning/sarifs`]: request => {
        if (!may(request, 'security-events')) return refused
        const { sarif, ...about } = request.body as { commit_sha: string; ref: string; sarif: string }
        const read = JSON.parse(String(gunzipSync(Buffer.from(sarif, 'base64'))))
        scans.push({ ...about, sarif: read })
        return { status: 202, body: { id: String(nextId++) } }
      },
    },
    request => admit(request, tokens),
  )
  return {
    ...host,
    comments,
    issues,
    artifacts,
    pulls,
    scans,
    tokenFor(permissions) {
      const token = `ghs_${nextId++}_of_a_job`
      tokens.set(token, permissions)
      return token
    },
  }
}

const tooLong: HostAnswer = {
  status: 422,
  body: { message: 'Validation Failed: body is too long (maximum is 65536 characters)' },
}

/** What GitHub asks of each request, https://docs.github.com/rest/using-the-rest-api. */
function admit(request: HostRequest, tokens: ReadonlyMap<string, Permissions>): HostAnswer | undefined {
  const { headers, path, method, body } = request
  if (!tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? ''))
    return { status: 401, body: { message: 'Bad credentials' } }
  if (!headers['user-agent']) return { status: 403, body: { message: 'no user agent' } }
  if (headers.accept !== 'application/vnd.github+json' || headers['x-github-api-version'] !== '2022-11-28')
    return { status: 415, body: { message: 'Unsupported media type or version' } }
  if (!path.startsWith(`${root}/`)) return notFound
  const isWrite = method === 'POST' || method === 'PATCH'
  if (isWrite !== (typeof body === 'object' && body !== null))
    return { status: 400, body: { message: 'Problems parsing JSON' } }
  return undefined
}

function page(request: HostRequest, all: readonly unknown[], member?: string): HostAnswer {
  const size = Math.min(Number(request.query.per_page ?? 30), pageSize)
  const at = Number(request.query.page ?? 1)
  const next = new URLSearchParams({ ...request.query, page: String(at + 1) })
  const link = `<http://${request.headers.host}${request.path}?${next}>; rel="next"`
  const entries = all.slice((at - 1) * size, at * size)
  return {
    status: 200,
    body: member === undefined ? entries : { total_count: all.length, [member]: entries },
    headers: all.length > at * size ? { link } : {},
  }
}
