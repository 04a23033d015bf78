import { setTimeout as wait } from 'node:timers/promises'

/** How long one answer is waited for, in milliseconds. */
const patienceMs = 30_000
/** How long it is worth to wait until the host takes requests again. */
const longestWaitMs = 60_000
const mostAttempts = 4

/** A request that the code host did not do. */
export class CodeHostError extends Error {
  /**
   * @param {string} request
   * @param {number} status 0 where there was no answer
   * @param {string} said
   * @param {number | undefined} waitMs after how long it may be asked again; `undefined`: it need not be
   */
  constructor(request, status, said, waitMs) {
    super(`${request}: ${status === 0 ? '' : `${status} `}${said}`)
    this.name = 'CodeHostError'
    this.status = status
    this.waitMs = waitMs
  }
}

/**
 * The REST interface of GitHub for one repository, https://docs.github.com/rest.
 * @param {{ apiUrl: string, repository: string, token: string }} options
 */
export function codeHost({ apiUrl, repository, token }) {
  const origin = new URL(apiUrl).origin
  const root = `${apiUrl.replace(/\/$/, '')}/repos/${repository}`

  /** @param {string} method @param {string} url @param {unknown} [body] */
  async function send(method, url, body) {
    const request = `${method} ${new URL(url).pathname}`
    const answer = await fetch(url, {
      method,
      // The token goes to this host, and nowhere that an answer may name.
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'vexil-action',
        'x-github-api-version': '2022-11-28',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(error => {
      throw new CodeHostError(request, 0, `no answer (${error.cause?.code ?? error.name})`, 1000)
    })
    const text = await answer.text().catch(() => '')
    if (!answer.ok) throw new CodeHostError(request, answer.status, messageOf(text), waitOf(answer))
    try {
      return { answer, json: text === '' ? undefined : JSON.parse(text) }
    } catch {
      throw new CodeHostError(request, answer.status, 'the answer is not JSON', undefined)
    }
  }

  return {
    /** @param {string} method @param {string} path below the repository @param {unknown} [body] */
    async request(method, path, body) {
      return (await send(method, `${root}${path}`, body)).json
    },
    /**
     * All entries of a list, of all its pages.
     * @param {string} path below the repository
     * @param {string} [member] the list's name, where it stands in an object
     */
    async all(path, member) {
      const entries = []
      /** @type {string | undefined} */
      let url = `${root}${path}${path.includes('?') ? '&' : '?'}per_page=100`
      while (url !== undefined) {
        const { answer, json } = await send('GET', url)
        const page = member === undefined ? json : json?.[member]
        if (!Array.isArray(page) || !page.every(entry => typeof entry === 'object' && entry !== null))
          throw new CodeHostError(`GET ${path}`, answer.status, 'the answer is not a list', undefined)
        entries.push(...page)
        const [, next] = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '') ?? []
        if (next !== undefined && new URL(next).origin !== origin)
          throw new CodeHostError(`GET ${path}`, 0, 'the next page is on another host', undefined)
        url = next
      }
      return entries
    },
  }
}

/**
 * Does something that can be done from the start again, as it looks what is there first: an answer that was lost is never
 * taken for one that was not sent.
 * @template T @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function withPatience(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CodeHostError) || error.waitMs === undefined) throw error
      const waitMs = error.waitMs * 2 ** (attempt - 1)
      if (attempt === mostAttempts || waitMs > longestWaitMs) throw error
      await wait(waitMs)
    }
  }
}

/** After how long an answer asks to come again, in milliseconds. @param {Response} answer */
function waitOf({ status, headers }) {
  const isLimited = status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0')
  const after = headers.get('retry-after')
  if (after !== null && /^\d+$/.test(after) && (isLimited || status === 403 || status >= 500))
    return Number(after) * 1000
  if (!isLimited) return status >= 500 ? 1000 : undefined
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  return Number.isNaN(reset) ? longestWaitMs : Math.max(0, reset * 1000 - Date.now())
}

/** @param {string} text */
function messageOf(text) {
  try {
    return String(JSON.parse(text).message)
  } catch {
    return text.slice(0, 200).replace(/\s+/g, ' ') || 'no words'
  }
}
