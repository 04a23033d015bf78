import { describe, expect, it, onTestFinished } from 'vitest'
import { isFull } from '../suites.ts'
import { flagsPath, startWithDeleted } from '../support/deleted-flags.ts'
import { relayTo } from '../support/relay.ts'
import type { Service } from '../support/service.ts'
import { type AnswerTrail, type TrailAnswer, trailAnswers } from './answers.ts'
import { type Came, type WayName, ways } from './ways.ts'

const byName = ({ name, means }: TrailAnswer) => [`${name} (${means})`, name] as const
const answerOf = (name: string) => trailAnswers.find(answer => answer.name === name) as TrailAnswer

/** The laws of a trail that cannot be read, for one way of declaring flags. What the service holds decides. */
export function describeUnreadableTrail(way: WayName): void {
  // One place reads the trail for all ways: what each status means there is tried in one of them, and in full; a stack
  // differs in who allows what, for which one answer of each meaning is enough.
  const isFirst = ({ means }: TrailAnswer, index: number) =>
    trailAnswers.findIndex(each => each.means === means) === index
  const answers =
    way === 'a stack' && !isFull()
      ? trailAnswers.filter(isFirst)
      : trailAnswers.filter(({ isOneOfMany }) => !isOneOfMany || (way === 'YAML' && isFull()))
  const gaps = answers.filter(({ means }) => means !== 'no trail')
  const refusals = gaps.filter(({ means }) => means !== 'outage')
  const noTrails = answers.filter(({ means }) => means === 'no trail')

  /** A service with one soft-deleted flag that has a grant, and somebody who declares it. */
  async function arrange(allow?: readonly string[]) {
    const flags = await startWithDeleted({ count: 1 })
    const { service, answering } = await withOtherTrail(flags.service)
    onTestFinished(() => flags.service.close())
    const person = await ways[way]({ service, keys: ['deleted_1', 'fresh'], ...(allow ? { allow } : {}) })
    const failing = ({ fault, answer }: TrailAnswer) => {
      service.faults(...(fault === undefined ? [] : [fault]))
      answering(answer)
    }
    return { flags, service, person, failing, mended: () => failing({ name: '', means: 'no trail' }) }
  }

  async function keysOf(service: { get(path: string): Promise<unknown> }): Promise<readonly string[]> {
    const { results } = (await service.get(`${flagsPath}/`)) as { results: readonly { key: string }[] }
    return results.map(({ key }) => key).sort()
  }

  const expectRestored = async (person: { plan(): Promise<Came>; applyPlanned(): Promise<Came> }) => {
    const planned = await person.plan()
    expect(planned).toEqual({ isDone: true, said: expect.stringMatching(/to restore|will be restored/) })
    expect(await person.applyPlanned()).toMatchObject({ isDone: true })
  }

  describe(`through ${way}, where the trail cannot be read`, () => {
    it.each(gaps.map(byName))('while it is planned, nothing is created: %s', async (_, name) => {
      const { flags, service, person, failing, mended } = await arrange()
      failing(answerOf(name))
      const planned = await person.plan()
      const isOutage = answerOf(name).means === 'outage'
      if (isOutage) expect(planned.isDone).toBe(false)
      else expect(planned.said).toContain('trail_unreadable')
      await person.applyPlanned()
      await flags.expectKept(true)
      mended()
      expect(await keysOf(service)).toEqual(['another'])

      await expectRestored(person)
      await flags.expectKept(false)
      expect(await keysOf(service)).toEqual(['another', 'deleted_1', 'fresh'])
    })

    it.each(gaps.map(byName))('while it is applied, nothing is created: %s', async (_, name) => {
      const { service, person, failing, mended } = await arrange()
      const made = await flagsWithout(person, service)
      failing(answerOf(name))
      expect(await person.applyPlanned()).toMatchObject({ isDone: false })
      mended()
      expect(await made.held()).toEqual({ id: made.id, deleted: true, roles: 1 })
      expect(await keysOf(service)).toEqual(['another'])

      expect(await person.plan()).toMatchObject({ isDone: true })
      expect(await person.applyPlanned()).toMatchObject({ isDone: true })
      expect(await made.held()).toEqual({ id: made.id, deleted: false, roles: 1 })
    })

    it.each(refusals.map(byName))('it goes on once that is allowed: %s', async (_, name) => {
      const { service, person, failing } = await arrange(['trail_unreadable'])
      failing(answerOf(name))
      expect(await person.plan()).toEqual({
        isDone: true,
        said: expect.stringContaining('may destroy a soft-deleted object of the same name'),
      })
      expect(await person.applyPlanned()).toMatchObject({ isDone: true })
      expect(await keysOf(service)).toEqual(['another', 'deleted_1', 'fresh'])
    })

    it.each(gaps.filter(({ means }) => means === 'outage').map(byName))(
      'an outage is not allowed by that: %s',
      async (_, name) => {
        const { flags, person, failing } = await arrange(['trail_unreadable'])
        failing(answerOf(name))
        expect((await person.plan()).isDone).toBe(false)
        await person.applyPlanned()
        await flags.expectKept(true)
      },
    )

    it.each(noTrails.map(byName))('since the service keeps none, flags are created: %s', async (_, name) => {
      const { service, person, failing } = await arrange()
      failing(answerOf(name))
      const planned = await person.plan()
      expect([planned.isDone, /(?<!\/)\btrail\b/.test(planned.said)]).toEqual([true, false])
      expect(await person.applyPlanned()).toMatchObject({ isDone: true })
      expect(await keysOf(service)).toEqual(['another', 'deleted_1', 'fresh'])
    })
  })

  /** A colleague makes a flag and deletes it again after somebody has planned to create one of its key. */
  async function flagsWithout(
    person: { plan(): Promise<Came> },
    service: Parameters<typeof keysOf>[0] & Sender,
  ) {
    const roleId = '01900000-0000-0000-0000-0000000000aa'
    await service.send('PATCH', `${flagsPath}/2/`, { key: 'put_aside' })
    expect(await person.plan()).toMatchObject({ isDone: true })
    const { id } = (await service.send('POST', `${flagsPath}/`, { key: 'fresh' })) as { id: number }
    await service.send('POST', `${flagsPath}/${id}/role_access/`, { role_id: roleId })
    await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
    return {
      id,
      async held() {
        const { deleted } = (await service.get(`${flagsPath}/${id}/`)) as { deleted: boolean }
        const grants = (await service.get(`${flagsPath}/${id}/role_access/`)) as { results: unknown[] }
        return { id, deleted, roles: grants.results.length }
      },
    }
  }
}

interface Sender {
  send(method: string, path: string, body?: unknown): Promise<unknown>
}

/** The service behind a relay that may answer pages of its trail otherwise. */
async function withOtherTrail(service: Service) {
  let answerTrail: AnswerTrail | undefined
  const relay = await relayTo(service.url, {
    async before({ url = '' }) {
      const { pathname, searchParams } = new URL(url, service.url)
      const isTrail = /\/feature_flags\/activity\/?$/.test(pathname)
      return isTrail ? answerTrail?.(Number(searchParams.get('page') ?? 1)) : undefined
    },
  })
  onTestFinished(relay.close)
  return {
    service: { ...service, env: { ...service.env, VEXIL_BASE_URL: relay.url } },
    answering(answer: AnswerTrail | undefined) {
      answerTrail = answer
    },
  }
}
