// The floor of parsing: the same files, parsed by one of our three parsers alone and kept by nobody. Of our own, the file
// that it was built into is given.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, parser, built] = process.argv.slice(2)
const parsers = {
  plain: async () => (await import(built)).readPlainly,
  'js-yaml': async () => (await import('js-yaml')).load,
  yaml: async () => {
    const { parse } = await import('yaml')
    return text => parse(text, { uniqueKeys: false })
  },
}
const parse = await parsers[parser]()
const startedAt = performance.now()
for (const name of readdirSync(folder)) {
  if (parse(readFileSync(join(folder, name), 'utf8')) === undefined)
    throw new Error(`${parser} leaves ${name} to others`)
}
console.log(performance.now() - startedAt)
