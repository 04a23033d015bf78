import { aCodeHost, type CodeHost, type HostAnswer, type HostRequest, type Routes } from '../code-host.ts'

/** A note of a merge request or an issue. */
interface Note {
  readonly id: number
  readonly author: { readonly id: number }
  body: string
}

interface Issue {
  readonly iid: number
  readonly author: { readonly id: number }
  readonly title: string
  readonly labels: readonly string[]
  readonly notes: Note[]
  description: string
  state: 'opened' | 'closed'
}

export interface FakeGitlab extends CodeHost {
  /** By the number of the merge request. */
  readonly notes: Map<string, Note[]>
  readonly issues: Issue[]
  /** Writes a note as somebody else. */
  noteOfSomebody(mergeRequest: string, body: string): void
}

/** Rows on a page, whatever is asked for: a host may give fewer, and then every list has pages. */
const perPage = 2

const self = { id: 71 }
const somebody = { id: 5 }

/**
 * The routes of GitLab's REST API that pipelines use, in project 1, for one token. What they do not know of a request,
 * in its body or its query, is refused.
 */
export async function aFakeGitlab(token: string): Promise<FakeGitlab> {
  const notes = new Map<string, Note[]>()
  const issues: Issue[] = []
  let ids = 100
  const noted = (body: string, author = self): Note => ({ id: ids++, author, body })
  const notesOf = (iid = '') => notes.get(iid) ?? notes.set(iid, []).get(iid) ?? []
  const project = '/api/v4/projects/1'

  const routes: Routes = {
    'GET /api/v4/user': () => ({ status: 200, body: self }),
    [`GET ${project}/merge_requests/:iid/notes`]: request =>
      paged(request, notesOf(request.params.iid), { sort: 'asc', order_by: 'created_at' }),
    [`POST ${project}/merge_requests/:iid/notes`]: ({ params, body }) => {
      const { body: text } = members(body, ['body'])
      const note = noted(text)
      notesOf(params.iid).push(note)
      return { status: 201, body: note }
    },
    [`PUT ${project}/merge_requests/:iid/notes/:id`]: ({ params, body }) => {
      const note = notesOf(params.iid).find(
        ({ id, author }) => String(id) === params.id && author.id === self.id,
      )
      if (!note) return { status: 403 }
      note.body = members(body, ['body']).body
      return { status: 200, body: note }
    },
    [`DELETE ${project}/merge_requests/:iid/notes/:id`]: ({ params }) => {
      const own = notesOf(params.iid)
      const at = own.findIndex(({ id, author }) => String(id) === params.id && author.id === self.id)
      if (at < 0) return { status: 403 }
      own.splice(at, 1)
      return { status: 204 }
    },
    [`GET ${project}/issues`]: request =>
      paged(
        request,
        issues.filter(({ state }) => state === 'opened'),
        { state: 'opened', scope: 'all', author_id: '71', sort: 'asc', order_by: 'created_at' },
      ),
    [`POST ${project}/issues`]: ({ body }) => {
      const { title, description, labels } = members(body, ['title', 'description', 'labels'])
      const issue: Issue = {
        iid: issues.length + 1,
        author: self,
        title,
        description,
        labels: labels.split(','),
        notes: [],
        state: 'opened',
      }
      issues.push(issue)
      return { status: 201, body: issue }
    },
    [`PUT ${project}/issues/:iid`]: ({ params, body }) => {
      const issue = issues.find(({ iid }) => String(iid) === params.iid)
      if (!issue) return { status: 404 }
      const { description, state_event } = members(body, [], ['description', 'state_event'])
      if (description !== undefined) issue.description = description
      if (state_event === 'close') issue.state = 'closed'
      return { status: 200, body: issue }
    },
    [`POST ${project}/issues/:iid/notes`]: ({ params, body }) => {
      const note = noted(members(body, ['body']).body)
      issues.find(({ iid }) => String(iid) === params.iid)?.notes.push(note)
      return { status: 201, body: note }
    },
  }
  const host = await aCodeHost(routes, ({ headers }) =>
    headers['private-token'] === token && headers.authorization === undefined ? undefined : { status: 401 },
  )
  return Object.assign(host, {
    notes,
    issues,
    noteOfSomebody: (iid: string, body: string) => void notesOf(iid).push(noted(body, somebody)),
  })
}

function paged({ query }: HostRequest, rows: readonly object[], known: Record<string, string>): HostAnswer {
  const { page = '1', per_page, ...others } = query
  const expected = JSON.stringify(Object.entries(known).sort())
  if (per_page !== '100' || JSON.stringify(Object.entries(others).sort()) !== expected) return { status: 400 }
  const from = (Number(page) - 1) * perPage
  const next = from + perPage < rows.length ? String(Number(page) + 1) : ''
  return { status: 200, body: rows.slice(from, from + perPage), headers: { 'x-next-page': next } }
}

/** The texts of a body; throws, which is answered with a 500, where it has others or lacks one. */
function members<Required extends string, Optional extends string = never>(
  body: unknown,
  required: readonly Required[],
  optional: readonly Optional[] = [],
) {
  const given = body as Record<Required, string> & { readonly [Name in Optional]?: string }
  const known: readonly string[] = [...required, ...optional]
  const isKnown = Object.entries(given).every(
    ([name, value]) => known.includes(name) && typeof value === 'string',
  )
  if (!isKnown || required.some(name => given[name] === undefined))
    throw new Error(`a body that is not understood: ${JSON.stringify(body)}`)
  return given
}
