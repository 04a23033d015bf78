/*
 * One issue for the drift of an environment:
 *
 * | open issues of the author with the marker | drift                  | none                                       |
 * |-------------------------------------------|------------------------|--------------------------------------------|
 * | none                                      | one is opened          | nothing                                    |
 * | one or more                               | the oldest is written  | each is closed, with a comment that says so |
 */

/**
 * @typedef {ReturnType<typeof import('./code-host.mjs').codeHost>} CodeHost
 * @typedef {{ number: number, body?: string | null, user?: { login: string } | null, pull_request?: unknown }} Issue
 */

/**
 * @param {CodeHost} host
 * @param {{ author: string, marker: string, title: string, body: string, isDrift: boolean, closing: string }} options
 *   `body` begins with `marker`
 */
export async function writeIssue(host, { author, marker, title, body, isDrift, closing }) {
  // The list has pull requests too.
  const open = /** @type {Issue[]} */ (
    await host.all('/issues?state=open&sort=created&direction=asc')
  ).filter(issue => !issue.pull_request && issue.user?.login === author && issue.body?.startsWith(marker))
  const [oldest] = open
  if (!isDrift) {
    for (const { number } of open) {
      // In this order, so that what has to be done again says nothing twice.
      await host.request('PATCH', `/issues/${number}`, { state: 'closed', state_reason: 'completed' })
      await host.request('POST', `/issues/${number}/comments`, { body: closing })
    }
    return
  }
  if (oldest === undefined) await host.request('POST', '/issues', { title, body })
  else if (oldest.body !== body) await host.request('PATCH', `/issues/${oldest.number}`, { body })
}
