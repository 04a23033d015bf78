#!/bin/sh
# @slack/webhook 7.2.0 sends its own option `timeout` in the body of each message, as `"timeout":0`. It posts an empty message, takes
# any body of 200 for success, and does not send again after 429 with Retry-After.
. "$(dirname "$0")/lib.sh"
npm_packages @slack/webhook@7.2.0
node_program <<'PROGRAM'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { IncomingWebhook } from '@slack/webhook'
let status = 200
const bodies = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  bodies.push(body)
  response.writeHead(status, { 'retry-after': '1' })
  response.end('invalid_payload')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const webhook = new IncomingWebhook(`http://127.0.0.1:${server.address().port}/hook`)
console.log(JSON.stringify(await webhook.send('hi')), JSON.stringify(await webhook.send({})))
status = 429
console.log(await webhook.send('again').catch(({ code }) => code))
await new Promise(soon => setTimeout(soon, 1500))
console.log(bodies.join(' '))
PROGRAM
seen 'answers, after 429, bodies' '{"text":"invalid_payload"} {"text":"invalid_payload"}
slack_webhook_http_error
{"timeout":0,"text":"hi"} {"timeout":0} {"timeout":0,"text":"again"}' "$(cat out)"
