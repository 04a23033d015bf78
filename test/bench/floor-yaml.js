// The floor of parsing: the same files, parsed by one of our two parsers alone and kept by nobody.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, parser] = process.argv.slice(2)
const parsers = {
  'js-yaml': async () => (await import('js-yaml')).load,
  yaml: async () => {
    const { parse } = await import('yaml')
    return text => parse(text, { uniqueKeys: false })
  },
}
const parse = await parsers[parser]()
const startedAt = performance.now()
for (const name of readdirSync(folder)) parse(readFileSync(join(folder, name), 'utf8'))
console.log(performance.now() - startedAt)
