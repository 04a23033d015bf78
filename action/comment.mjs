import { writeOneNote } from './one-note.mjs'

/**
 * @typedef {ReturnType<typeof import('./code-host.mjs').codeHost>} CodeHost
 * @typedef {{ id: number, body?: string | null, user?: { login: string } | null }} Comment
 */

/**
 * Writes the one comment on a pull request that a plan has.
 * @param {CodeHost} host
 * @param {{ pullRequest: number, author: string, marker: string, run: string, text: string }} options `run` is its id,
 *   a number that grows
 */
export async function writeComment(host, { pullRequest, author, marker, run, text }) {
  const path = `/issues/${pullRequest}/comments`
  await writeOneNote(
    {
      own: async () =>
        /** @type {Comment[]} */ (await host.all(path)).filter(
          ({ user, body }) => user?.login === author && body?.startsWith(`${marker} of `),
        ),
      create: body => host.request('POST', path, { body }),
      update: (id, body) => host.request('PATCH', `/issues/comments/${id}`, { body }),
      remove: id => host.request('DELETE', `/issues/comments/${id}`),
    },
    {
      body: `${marker} of ${run} -->\n${text}`,
      runOf: body => BigInt(/ of (\d+) -->/.exec(body)?.[1] ?? 0),
    },
  )
}
