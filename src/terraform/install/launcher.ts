import { basename } from 'node:path'

/** The bundled provider, beside the file that Terraform starts. */
export const bundleName = 'vexil-provider.cjs'

/** The licences of the libraries in it; the build writes this file beside every bundle. */
export const noticesName = 'THIRD-PARTY-NOTICES.txt'

/**
 * What the engine has compiled of the bundle: a file beside the folder of the provider, since in it it would change the
 * checksum that lock files hold, and is another one on each machine.
 */
export function besideCacheName(folder: string): string {
  return `${basename(folder)}.cache`
}

/**
 * The file that Terraform starts: loads the bundle with what the engine compiled of it before. Terraform starts three
 * processes for one plan, so the start counts.
 *
 * | the compiled code                               | what a start does                                           |
 * |-------------------------------------------------|-------------------------------------------------------------|
 * | is of this bundle and this engine, and whole    | takes it                                                    |
 * | is of another, was cut off, or is not there     | compiles, and leaves what it compiled when it ends well     |
 * | cannot be written                               | compiles                                                    |
 *
 * The digest before the code is of the bundle, the engine and the code: the engine itself knows a source by its length
 * alone, and takes a file that was changed or cut off.
 */
export const launcherText = `#!/usr/bin/env node
'use strict'
const { createHash } = require('node:crypto')
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const running = require('node:process')
const { Script } = require('node:vm')

const filename = join(__dirname, '${bundleName}')
const cache = __dirname + '.cache'
const source = readFileSync(filename)
const engine = [running.version, running.platform, running.arch].join(' ')
const digestOf = code => createHash('sha256').update(engine).update(source).update(code).digest()
let cachedData
try {
  const kept = readFileSync(cache)
  const code = kept.subarray(32)
  if (digestOf(code).equals(kept.subarray(0, 32))) cachedData = code
} catch {
  // Without compiled code it starts as well.
}
const script = new Script(wrap(source.toString()), { filename, cachedData })
const isCompiled = cachedData !== undefined && !script.cachedDataRejected
if (!isCompiled) {
  running.on('exit', code => {
    // 143: ended by whoever started it. After any other end little of it has been compiled.
    if (code !== 0 && code !== 143) return
    const written = cache + '.' + running.pid
    try {
      const code = script.createCachedData()
      writeFileSync(written, Buffer.concat([digestOf(code), code]), { flag: 'wx' })
      renameSync(written, cache)
    } catch {
      rmSync(written, { force: true })
    }
  })
}
const bundle = { exports: {} }
script.runInThisContext().call(bundle.exports, bundle.exports, require, bundle, filename, __dirname)
// What a start leaves for later belongs into the compiled code as well.
if (!isCompiled) bundle.exports.loadRest?.()
`
