import type { OtherAnswer } from '../support/relay.ts'

/** Answers a page of the trail in the service's place; undefined lets the request through. */
export type AnswerTrail = (page: number) => OtherAnswer | undefined

/** How the service, or the way to it, may answer a request for its trail. */
export interface TrailAnswer {
  readonly name: string
  /** What a creation does then; see the table of `core/read/activity-trail.ts`. */
  readonly means: 'outage' | 'refused' | 'gap' | 'no trail'
  /** One status of many that mean the same to all that read a trail. */
  readonly isOneOfMany?: boolean
  /** A fault of the sandbox's own. */
  readonly fault?: string
  readonly answer?: AnswerTrail
}

const statuses = (means: 'outage' | 'refused', ...all: readonly number[]): readonly TrailAnswer[] =>
  all.map(status => ({ name: `status ${status}`, means, fault: `GET /activity status=${status}` }))

const more = (...all: Parameters<typeof statuses>): readonly TrailAnswer[] =>
  statuses(...all).map(answer => ({ ...answer, isOneOfMany: true }))

const always = (body: string, headers?: Readonly<Record<string, string>>): AnswerTrail => {
  return () => ({ body, ...(headers ? { headers } : {}) })
}

const json = (value: unknown) => always(JSON.stringify(value))
const aFlag = { id: 9, key: 'another', name: '', filters: {}, deleted: false, active: true }
const aRow = { item_id: '1', scope: 'FeatureFlag', activity: 'updated', detail: { name: 'another' } }
const further = 'http://127.0.0.1/api/projects/1/feature_flags/activity?page=2'

/** A first page that has another one behind it, and then something else. */
const thenSecond = (second: AnswerTrail): AnswerTrail => {
  const body = JSON.stringify({ results: [aRow], next: further, previous: null, total_count: 1001 })
  return page => (page === 1 ? { body } : second(page))
}

const trailAnswers: readonly TrailAnswer[] = [
  ...statuses('outage', 401, 429, 500, 503),
  ...more('outage', 408, 425, 501, 502, 504, 520, 599),
  ...statuses('refused', 400, 403, 404),
  ...more('refused', 402, 405, 409, 410, 418, 422, 451),
  { name: 'a 429 that asks to wait', means: 'outage', fault: 'GET /activity status=429 retry_after=3600' },
  { name: 'a lost connection', means: 'outage', fault: 'GET /activity reset_before' },
  { name: 'a lost answer', means: 'outage', fault: 'GET /activity reset_after' },
  { name: 'an answer that breaks off', means: 'outage', fault: 'GET /activity truncate' },
  { name: 'broken JSON', means: 'outage', answer: always('{"results": [') },
  {
    name: 'a page of a proxy',
    means: 'outage',
    answer: always('<html>Sign in</html>', { 'content-type': 'text/html' }),
  },
  { name: 'no text', means: 'outage', answer: always('', { 'content-type': 'text/plain' }) },
  { name: 'empty JSON', means: 'outage', answer: always('') },
  {
    name: 'a redirect',
    means: 'outage',
    answer: () => ({ status: 302, headers: { location: '/login' }, body: '' }),
  },
  { name: 'an unknown encoding', means: 'outage', answer: always('abc', { 'content-encoding': 'br' }) },
  { name: 'a broken encoding', means: 'outage', answer: always('abc', { 'content-encoding': 'gzip' }) },
  {
    name: 'a second page that fails',
    means: 'outage',
    answer: thenSecond(() => ({ status: 500, body: '' })),
  },
  { name: 'a second page that is none', means: 'outage', answer: thenSecond(json(aFlag)) },
  {
    name: 'a second page that is refused',
    means: 'gap',
    answer: thenSecond(() => ({ status: 404, body: '' })),
  },
  { name: 'a trail without an end', means: 'gap', answer: json({ results: [aRow], next: further }) },
  {
    name: 'fewer rows than it counts',
    means: 'gap',
    answer: json({ results: [aRow], next: null, total_count: 2 }),
  },
  {
    name: 'rows without a name',
    means: 'gap',
    answer: json({ results: [{ ...aRow, detail: null }], next: null }),
  },
  {
    name: 'just a page, and no word of more',
    means: 'gap',
    answer: json({ results: Array(1000).fill(aRow) }),
  },
  { name: 'a flag', means: 'no trail', answer: json(aFlag) },
  { name: 'flags', means: 'no trail', answer: json([aFlag]) },
  {
    name: 'a page of flags',
    means: 'no trail',
    answer: json({ count: 2, next: further, previous: null, results: [aFlag, aFlag] }),
  },
  { name: 'an empty object', means: 'no trail', answer: json({}) },
  { name: 'null', means: 'no trail', answer: json(null) },
]

export { trailAnswers }
