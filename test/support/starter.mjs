import { execFile } from 'node:child_process'

// What a worker of the tests has started for it; see `small-process.ts`.
const children = new Map()

process.on('message', ({ id, is, file, words, options, bytes, signal }) => {
  if (is === 'start') {
    const child = execFile(file, words, { ...options, encoding: 'buffer' }, (error, stdout, stderr) => {
      children.delete(id)
      const { code, killed, signal, cmd, message } = error ?? {}
      process.send({ id, stdout, stderr, error: error && { code, killed, signal, cmd, message } })
    })
    child.stdin?.on('error', () => {})
    children.set(id, child)
  } else if (is === 'input') children.get(id)?.stdin?.write(bytes)
  else if (is === 'end') children.get(id)?.stdin?.end()
  else children.get(id)?.kill(signal)
})
process.on('disconnect', () => process.exit())
