/*
 * One note of ours under a pull request or a merge request, on whatever code host, written again by each run:
 *
 * | own notes                       | done                                                |
 * |---------------------------------|-----------------------------------------------------|
 * | none                            | one is written; then looked for again, as below     |
 * | one                             | it is written again, where it says something else   |
 * | several: two runs wrote at once | the oldest is written again, the others are removed |
 * | any, and one is of a newer run  | nothing: this run is about a commit of the past     |
 */

/**
 * @typedef {{ readonly id: number, readonly body?: string | null }} Note
 * @typedef {object} Place
 * @property {() => Promise<readonly Note[]>} own Our notes there.
 * @property {(body: string) => Promise<unknown>} create
 * @property {(id: number, body: string) => Promise<unknown>} update
 * @property {(id: number) => Promise<unknown>} remove
 */

/**
 * @param {Place} place
 * @param {{ body: string, runOf: (body: string) => bigint }} options `runOf` reads the number of the run from a note; it grows
 * @returns {Promise<number | undefined>} the id of the note; `undefined` where a newer run has written it
 */
export async function writeOneNote(place, { body, runOf }) {
  const own = async () => [...(await place.own())].sort((left, right) => left.id - right.id)
  let found = await own()
  if (found.some(note => runOf(note.body ?? '') > runOf(body))) return undefined
  if (found.length === 0) {
    await place.create(body)
    found = await own()
  }
  const [oldest, ...others] = found
  if (oldest && oldest.body !== body) await place.update(oldest.id, body)
  for (const { id } of others) await place.remove(id)
  return oldest?.id
}
