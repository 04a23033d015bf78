import { createServer, request as forward, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Service } from '../support/service.ts'

/** What somebody between the client and the service answers in place of a page of the trail. */
export interface OtherAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a page of the trail otherwise; undefined lets it through. */
export type AnswerTrail = (page: number) => OtherAnswer | undefined

/** The service behind a door at which pages of its trail may be answered otherwise. */
export async function behindDoor(
  service: Service,
): Promise<{ readonly service: Service; answering(answer: AnswerTrail | undefined): void }> {
  let answerTrail: AnswerTrail | undefined
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const { pathname, searchParams } = new URL(url, service.url)
    const isTrail = /\/feature_flags\/activity\/?$/.test(pathname)
    const other = isTrail ? answerTrail?.(Number(searchParams.get('page') ?? 1)) : undefined
    if (other) return answerWith(other, outgoing)
    const onward = forward(`${service.url}${url}`, { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    service: { ...service, env: { ...service.env, VEXIL_BASE_URL: `http://127.0.0.1:${port}` } },
    answering(answer) {
      answerTrail = answer
    },
  }
}

function answerWith({ status = 200, headers = {}, body }: OtherAnswer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(body)
}
