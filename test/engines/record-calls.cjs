const { appendFileSync } = require('node:fs')
const http2 = require('node:http2')
const { env, pid } = require('node:process')

/*
 * node --require test/engines/record-calls.cjs dist/terraform/vexil-provider.cjs
 *
 * Appends a line of JSON to the file that VEXIL_CALLS names: when this process starts, and with the messages of each
 * call of the provider when it is answered. The program itself stays as it is.
 */
const { createServer } = http2
let connections = 0

note({ connection: 1 })
http2.createServer = (...given) => {
  const server = createServer(...given)
  server.on('session', session => {
    const connection = ++connections
    session.on('stream', (stream, headers) => record(stream, connection, headers[':path'].split('/')))
  })
  return server
}

function record(stream, connection, [, service, rpc]) {
  if (service !== 'tfplugin6.Provider') return
  const request = []
  const answer = []
  const { write, end, respond } = stream
  const noteEnd = () => note({ connection, rpc, request: base64(request), answer: base64(answer) })
  stream.on('data', chunk => request.push(chunk))
  stream.respond = (headers, options) => {
    if (options?.endStream) noteEnd()
    return respond.call(stream, headers, options)
  }
  stream.write = chunk => answer.push(chunk) && write.call(stream, chunk)
  stream.end = chunk => {
    if (chunk) answer.push(chunk)
    noteEnd()
    return end.call(stream, chunk)
  }
}

/** Of several messages the first, without the flag and the length before it. */
function base64(chunks) {
  const bytes = Buffer.concat(chunks)
  return bytes.length < 5 ? '' : bytes.subarray(5, 5 + bytes.readUInt32BE(1)).toString('base64')
}

function note(line) {
  appendFileSync(env.VEXIL_CALLS, `${JSON.stringify({ pid, ...line })}\n`)
}
