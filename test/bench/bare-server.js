// bare-server.js ANSWERS: answers each method with the status, the headers and the text that the file ANSWERS has for it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const answers = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const server = createServer((request, response) => {
  const { status, headers, text } = answers[request.method]
  const answer = () => response.writeHead(status, headers).end(text)
  if (request.method === 'GET') return answer()
  request.resume().on('end', answer)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${server.address().port}` })),
)
