/*
 * One comment on a pull request for each plan, written again by each run:
 *
 * | comments of the author with the marker | done                                                |
 * |----------------------------------------|-----------------------------------------------------|
 * | none                                   | one is written; then looked for again, as below     |
 * | one                                    | it is written again, where it says something else   |
 * | several: two runs wrote at once        | the oldest is written again, the others are removed |
 * | any, and one is of a newer run         | nothing: this run is about a commit of the past     |
 */

/**
 * @typedef {ReturnType<typeof import('./code-host.mjs').codeHost>} CodeHost
 * @typedef {{ id: number, body?: string | null, user?: { login: string } | null }} Comment
 */

/**
 * @param {CodeHost} host
 * @param {{ pullRequest: number, author: string, marker: string, run: string, text: string }} options `run` is its id,
 *   a number that grows
 */
export async function writeComment(host, { pullRequest, author, marker, run, text }) {
  const body = `${marker} of ${run} -->\n${text}`
  const path = `/issues/${pullRequest}/comments`
  const own = async () =>
    /** @type {Comment[]} */ (await host.all(path))
      .filter(comment => comment.user?.login === author && comment.body?.startsWith(`${marker} of `))
      .sort((left, right) => left.id - right.id)
  const found = await own()
  if (found.some(({ body }) => BigInt(/ of (\d+) -->/.exec(body ?? '')?.[1] ?? 0) > BigInt(run))) return
  if (found.length === 0) {
    await host.request('POST', path, { body })
    found.push(...(await own()))
  }
  const [oldest, ...others] = found
  if (oldest && oldest.body !== body) await host.request('PATCH', `/issues/comments/${oldest.id}`, { body })
  for (const { id } of others) await host.request('DELETE', `/issues/comments/${id}`)
}
